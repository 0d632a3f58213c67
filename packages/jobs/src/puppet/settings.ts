/** What was asked for of how pairs are played. */
import type { PuppetSettings } from '@pelt/model';
import type { Checked } from '../request/table.ts';
import type { PUPPET } from './table.ts';

export function settingsOf(options: Checked<typeof PUPPET>['options']): PuppetSettings {
  const { base, projection, lambda, noise, interpolation, parts, features, contacts, loose } = options;
  const given = { base, projection, lambda, noise, interpolation, parts, features, contacts, loose };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Whether joints are corrected by what is known of a body; undefined where the recording decides. */
export function priorOf(prior: Checked<typeof PUPPET>['options']['prior']): boolean | undefined {
  return prior === 'auto' ? undefined : prior === 'on';
}

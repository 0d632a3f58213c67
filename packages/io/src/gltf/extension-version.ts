import { InputError } from '@pelt/model';
import type { GltfExtension } from './extension-payload.ts';

/** Version of each extension that is written, unless it has a later one of its own; docs/extensions describes them. */
export const EXTENSION_VERSION = 1;

/**
 * Throws `InputError` where an extension has another version than this reads.
 *
 * @param latest  the latest version; earlier ones are read as well
 */
export function requireVersion({ name, json }: GltfExtension, latest: number = EXTENSION_VERSION): void {
  const { version } = json;
  if (Number.isInteger(version) && Number(version) >= EXTENSION_VERSION && Number(version) <= latest) return;
  const found = version === undefined ? 'has no version' : `has version ${String(version)}`;
  const read = latest === EXTENSION_VERSION ? `version ${latest}` : `versions ${EXTENSION_VERSION} to ${latest}`;
  throw new InputError(`${name} ${found}; this reads ${read}, so write the file again or update pelt`);
}

import { notTaken, type OptionsByMethod, requireTaken, resolveOptions, takenOf, UsageError } from '@pelt/model';

interface CutOptions {
  readonly method: 'saw' | 'laser';
  readonly depth: number;
  readonly teeth: number;
}

const DEFAULTS: CutOptions = { method: 'saw', depth: 1, teeth: 20 };
const TAKEN_BY = { teeth: ['saw'] } as const;

/** The type has no teeth for a laser; requests from elsewhere are checked as well. */
function cut(options: OptionsByMethod<CutOptions, typeof TAKEN_BY, 'saw'>): CutOptions {
  const resolved = resolveOptions('cut', DEFAULTS, options);
  requireTaken('cut', resolved.method, TAKEN_BY, options, DEFAULTS);
  return resolved;
}

if (cut({ teeth: 8 }).teeth !== 8) throw new Error('a saw has teeth');

const all = { depth: 2, teeth: 8 };
if (cut({ method: 'laser', ...takenOf('laser', TAKEN_BY, all) }).teeth !== 20) throw new Error('a laser has none');

let message = '';
try {
  cut({ method: 'laser', ...all } as never);
} catch (error) {
  if (error instanceof UsageError) message = error.message;
}
if (message !== `cut: ${notTaken("option 'teeth'", "method 'laser'", ['saw'])}`) throw new Error(message);

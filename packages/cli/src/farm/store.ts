/** `pelt store verify`: reads all of a store and compares it with its hashes. */
import { openStore, verifyStore } from '@pelt/farm';
import { UsageError } from '@pelt/model';
import type { Command } from 'commander';
import { printable } from '../terminal/printable.ts';
import { DEFAULT_STORE } from './shared.ts';

/** As of a limit that is exceeded: the work is done, and its answer is not a good one. */
const DAMAGED = 6;

export function defineStore(command: Command, finish: (code: number) => void): void {
  command
    .usage('verify [folder] [options]')
    .argument('<action>', 'verify: read everything and compare it with its hashes')
    .argument('[folder]', 'the store', DEFAULT_STORE)
    .option('--keep', 'only tell what is damaged; by default it is removed, and computed again when it is asked for')
    .option('--json', 'print the counts as JSON')
    .addHelpText('after', '\nExamples:\n  $ pelt store verify\n  $ pelt store verify /mnt/pelt --keep')
    .action(async (action: string, folder: string) => {
      if (action !== 'verify') throw new UsageError(`a store has no '${printable(action)}'; try pelt store verify`);
      finish(await verify(folder, command.opts<{ keep?: boolean; json?: boolean }>()));
    });
}

/** @returns 6 where something is damaged and stays */
async function verify(folder: string, { keep = false, json }: { keep?: boolean; json?: boolean }): Promise<number> {
  const check = await verifyStore(await openStore(folder), {
    repair: !keep,
    onDamage: (what, name) => process.stderr.write(`damaged ${what} ${printable(name.slice(0, 80))}\n`),
  });
  const damaged = check.damagedResults + check.damagedInputs;
  if (json) process.stdout.write(`${JSON.stringify({ ...check, removed: keep ? 0 : damaged })}\n`);
  else {
    const end = damaged === 0 ? 'all whole' : `${damaged} damaged${keep ? '' : ' and removed'}`;
    process.stdout.write(`${check.results} results, ${check.inputs} inputs: ${end}\n`);
  }
  return keep && damaged > 0 ? DAMAGED : 0;
}

// @ts-check
/**
 * A hash of every output of every command, to prove that a change of the code changes no byte of a result:
 *
 *   npm run outputs -- --write before.json     before the change
 *   npm run outputs -- --against before.json   after it; exits with 1 if a byte differs, and names the outputs
 *   npm run outputs -- --only=skeleton …       the commands whose text contains this
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { COMMANDS } from './commands.mjs';
import { hashOutputs } from './hash-outputs.mjs';

const { values } = parseArgs({
  options: {
    write: { type: 'string' },
    against: { type: 'string' },
    only: { type: 'string', default: '' },
    threads: { type: 'string', default: '1' },
  },
});

const chosen = COMMANDS.filter(({ args }) => args.includes(values.only));
const hashes = await hashOutputs(chosen, {
  threads: Number(values.threads),
  onCommand: (command) => console.error(`pelt ${command}`),
});
const lines = Object.entries(hashes).map(([name, hash]) => `${hash}  ${name}`);
if (!values.write && !values.against) console.log(lines.join('\n'));
if (values.write) writeFileSync(values.write, `${JSON.stringify(hashes, undefined, 1)}\n`);
if (values.against) {
  /** @type {Record<string, string>} */
  const before = JSON.parse(readFileSync(values.against, 'utf8'));
  const names = Object.keys({ ...(values.only ? {} : before), ...hashes });
  const changed = names.filter((name) => before[name] !== hashes[name]);
  for (const name of changed) {
    console.log(`${name in before ? (name in hashes ? 'differs' : 'missing') : 'new'}: ${name}`);
  }
  console.log(`${names.length - changed.length} of ${names.length} the same`);
  process.exitCode = changed.length > 0 ? 1 : 0;
}

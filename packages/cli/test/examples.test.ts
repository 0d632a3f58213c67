/** The examples that the help shows, on files of their names. */
import { COMMANDS, type CommandName } from '@pelt/jobs/commands';
import { describe, expect, it } from 'vitest';
import { pelt } from './built-pelt.ts';
import { fixtureFolder } from './fixture-folder.ts';
import { writeBodyFiles, writeChainFiles, writeConvertFiles, writeDogFiles, writeFaceFiles } from './fixtures.ts';

/** How the last line ends that a person sees. */
const ENDINGS: Record<CommandName, RegExp> = {
  info: /bounds .*\)$|^\{.*\}$/,
  convert: / → .* frames? {2}.*s$/,
  fit: / → .*E_RMS .* bones {2}.*s$/,
  skeleton: / → .*(?:RMSE .* %|like \S+) {2}\d+ bones {2}.*s$/,
  reduce: / → .*\d s$/,
  sliders: / → .* bones {2}.* s$/,
  envelope: / → .* proxies .* s$/,
  volume: /^body\.obj \+ .* → .*\d s$/,
  puppet: / → .*\d s$|pairs to fill in/,
  clean: / → .*\d s$/,
  pose: / → .* iterations .* s$/,
  compare: / against .*E_RMS|^\{.*\}$/,
  study: / → .*html \(.*tables in .*csv$/,
  view: / → .*\d s$/,
};

/** A chain, and the performer of a dog. */
async function writeStudyFiles(folder: string): Promise<void> {
  await writeDogFiles(folder);
  await writeChainFiles(folder);
}

const FILES = {
  convert: writeConvertFiles,
  clean: writeDogFiles,
  puppet: writeDogFiles,
  sliders: writeFaceFiles,
  study: writeStudyFiles,
  volume: writeBodyFiles,
} as Partial<Record<CommandName, typeof writeChainFiles>>;

describe.each(Object.keys(COMMANDS) as CommandName[])('examples of %s', async (name) => {
  const { ownFolder } = fixtureFolder(FILES[name] ?? writeChainFiles);
  const { examples } = await COMMANDS[name].table();
  const lines = examples.split('\n').map((line) => line.trim());
  const runs = lines.filter((line) => line.startsWith('pelt '));

  it('are told what they do', () => {
    expect(runs.length).toBeGreaterThan(0);
    expect(lines.filter((line) => line.startsWith('# '))).toHaveLength(runs.length);
    for (const run of runs) expect(run.split(' ')[1]).toBe(name);
  });

  it.each(runs)('%s', async (run) => {
    const { code, stdout, stderr } = await pelt(run.split(' ').slice(1), ownFolder());
    expect(stderr.split('\n').filter((line) => !line.startsWith('warning: '))).toEqual(['']);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(ENDINGS[name]);
  });
});

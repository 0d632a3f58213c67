import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CancelledError, OutputError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { commitStaged } from '../../src/output/staged-files.ts';
import { perform } from '../../src/thread/perform.ts';
import type { JobMessage } from '../../src/thread/protocol.ts';
import { fixtureFolder } from '../fixture-folder.ts';
import { writeChainFiles } from '../fixtures.ts';
import { scratchFolder } from '../scratch-folder.ts';

const { folder } = fixtureFolder(writeChainFiles);
const at = (name: string) => join(folder, name);

/** @param stopAt  the stage at which the job is told to stop */
function run(request: object, reportFile?: string, stopAt?: string) {
  const cancel = new SharedArrayBuffer(4);
  const messages: JobMessage[] = [];
  const done = perform({ request, threads: 1, memory: undefined, reportFile, cancel }, (message) => {
    messages.push(message);
    const stage = message.type === 'progress' ? message.progress.stage : '';
    if (stopAt !== undefined && stage.startsWith(stopAt)) Atomics.store(new Int32Array(cancel), 0, 1);
  });
  return { done, messages };
}

describe('perform', () => {
  it('stages output and report, which are there once they are committed', async () => {
    const out = scratchFolder();
    const request = { command: 'convert', inputs: [at('frames')], output: join(out, 'a.pc2') };
    const { done, messages } = run(request, join(out, 'r.json'));
    const { report, staged } = await done;
    expect(readdirSync(out).every((name) => name.startsWith('.'))).toBe(true);
    const temporary = messages.flatMap((message) => (message.type === 'temporary' ? [message.path] : []));
    expect(temporary.sort()).toEqual(
      readdirSync(out)
        .map((name) => join(out, name))
        .sort(),
    );
    commitStaged(staged);
    expect(readdirSync(out).sort()).toEqual(['a.pc2', 'r.json']);
    expect(JSON.parse(readFileSync(join(out, 'r.json'), 'utf8'))).toEqual(report);
    expect(report).toMatchObject({
      peakMegabytes: expect.any(Number),
      warnings: [expect.stringContaining('points only')],
    });
    expect(messages).toContainEqual({ type: 'warning', message: expect.stringContaining('points only') });
  });

  it.each([
    ['convert', 'writing', 'w.obj'],
    ['fit', 'fitting', 'a.glb'],
  ])('leaves nothing of a %s that is stopped', async (command, stage, name) => {
    const out = scratchFolder();
    const request = { command, inputs: [at('frames')], output: join(out, 'new', name) };
    await expect(run(request, join(out, 'report.json'), stage).done).rejects.toThrow(CancelledError);
    expect(readdirSync(out)).toEqual([]);
  });

  it('writes nothing at all where one of many files cannot be', async () => {
    const out = scratchFolder();
    mkdirSync(join(out, 'w-0007.obj'));
    const request = { command: 'convert', inputs: [at('frames')], output: join(out, 'w.obj') };
    await expect(run(request).done).rejects.toThrow('it is a folder');
    expect(readdirSync(out)).toEqual(['w-0007.obj']);
    const inside = { command: 'convert', inputs: [at('rest.obj')], output: join(folder, 'rest.obj/a.ply') };
    await expect(run(inside).done).rejects.toThrow(OutputError);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('reserves the output before any work, and says why where it cannot', async () => {
    const request = { command: 'fit', inputs: [at('absent')], output: join(folder, 'rest.obj/a.glb') };
    await expect(run(request).done).rejects.toThrow(OutputError);
  });
});

/** `pelt mcp`, driven by the client of the protocol's own SDK. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { writeObj, writePc2 } from '@pelt/io';
import { COMMANDS } from '@pelt/jobs/commands';
import { barScene, creatureScene } from '@pelt/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPelt, PELT } from './built-pelt.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pelt-mcp-')));
const outside = realpathSync(mkdtempSync(join(tmpdir(), 'pelt-outside-')));
const client = new Client({ name: 'test', version: '1' });

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Record<string, never>;
}
const call = async (name: string, args: Record<string, unknown>) =>
  (await client.callTool({ name, arguments: args })) as unknown as Answer;

beforeAll(async () => {
  buildPelt();
  const { sequence } = barScene({ frames: 8, twistDegrees: 60, rings: 13, sides: 8 });
  writeFileSync(join(folder, 'rest.obj'), writeObj(sequence.rest)[0].bytes);
  writeFileSync(join(folder, 'clip.pc2'), writePc2(sequence));
  const large = creatureScene({ frames: 60, detail: 0.03 }).sequence;
  writeFileSync(join(folder, 'large.obj'), writeObj(large.rest)[0].bytes);
  writeFileSync(join(folder, 'large.pc2'), writePc2(large));
  writeFileSync(join(outside, 'secret.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
  symlinkSync(outside, join(folder, 'link'));
  const args = [PELT, 'mcp', folder, '--threads', '1'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: tmpdir() }));
});
afterAll(async () => {
  await client.close();
  for (const path of [folder, outside]) rmSync(path, { recursive: true, force: true });
});

describe('pelt mcp', () => {
  it('offers every command, with the options of its table', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(
      Object.keys(COMMANDS)
        .map((name) => `pelt_${name}`)
        .toSorted(),
    );
    const fit = tools.find(({ name }) => name === 'pelt_fit');
    expect(fit?.inputSchema.required).toEqual(expect.arrayContaining(['inputs', 'output']));
    const { options } = (fit?.inputSchema.properties ?? {}) as {
      options: { properties: Record<string, { description: string }> };
    };
    const table = await COMMANDS.fit.table();
    expect(Object.keys(options.properties)).toEqual(Object.keys(table.options));
    expect(options.properties.bones.description).toContain(table.options.bones.help);
    expect(fit?.annotations?.readOnlyHint).toBe(false);
    expect(tools.find(({ name }) => name === 'pelt_info')?.annotations?.readOnlyHint).toBe(true);
  });

  it('fits a file, tells how it goes, and answers with the report', async () => {
    const heard: number[] = [];
    const args = { inputs: ['rest.obj', 'clip.pc2'], output: 'bar.glb', options: { bones: 3 } };
    const answer = (await client.callTool({ name: 'pelt_fit', arguments: args }, undefined, {
      onprogress: ({ progress }) => heard.push(progress),
    })) as unknown as Answer;
    expect(answer.isError).toBeFalsy();
    const report = JSON.parse(answer.content[0].text);
    expect(report.error.eRms).toBeLessThan(20);
    expect(answer.structuredContent).toEqual(report);
    expect(readFileSync(join(folder, 'bar.glb'))).toHaveLength(report.output.bytes);
    expect(heard.length).toBeGreaterThan(0);
    expect(heard).toEqual(heard.toSorted((a, b) => a - b));
    const seen = await call('pelt_info', { inputs: ['bar.glb'] });
    expect(JSON.parse(seen.content[0].text).files[0]).toMatchObject({ format: 'glb', joints: 3 });
  });

  it('cancels a call, leaves nothing behind, and goes on', async () => {
    const stop = new AbortController();
    const args = { inputs: ['large.obj', 'large.pc2'], output: 'large.glb', options: { bones: 30 } };
    const called = client.callTool({ name: 'pelt_fit', arguments: args }, undefined, {
      signal: stop.signal,
      onprogress: () => stop.abort('enough'),
    });
    await expect(called).rejects.toThrow('enough');
    const next = await call('pelt_info', { inputs: ['rest.obj'] });
    expect(next.isError).toBeFalsy();
    expect(existsSync(join(folder, 'large.glb'))).toBe(false);
  });

  it.each([
    [['link/secret.obj'], 'out.ply'],
    [[join(outside, 'secret.obj')], 'out.ply'],
    [['../secret.obj'], 'out.ply'],
    [['rest.obj'], '../out.ply'],
    [['rest.obj'], 'link/out.ply'],
    [['rest.obj'], join(outside, 'out.ply')],
  ])('refuses what is outside of the folder: %j to %j', async (inputs, output) => {
    const answer = await call('pelt_convert', { inputs, output });
    expect(answer.isError).toBe(true);
    expect(answer.content[0].text).toContain('is outside of the allowed folder');
    expect(existsSync(join(outside, 'out.ply'))).toBe(false);
  });

  it('says in one line what is wrong with a call', async () => {
    for (const [name, args, message] of [
      ['pelt_fly', {}, "there is no tool 'pelt_fly'"],
      ['pelt_fit', { inputs: ['rest.obj'], output: 'x.glb', options: { bonez: 3 } }, 'bonez'],
      ['pelt_info', { inputs: ['nothing.obj'] }, 'nothing.obj'],
    ] as const) {
      const { isError, content } = await call(name, args);
      expect(isError).toBe(true);
      expect(content[0].text).toContain(message);
      expect(content[0].text.trim()).not.toContain('\n');
    }
  });
});

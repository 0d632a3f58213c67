/** The reference is complete, and its examples are right: they compile in strict mode and run, and so does the guide. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bakeSequence, readGltf, writeObj, writePc2 } from '@pelt/io';
import { frameAt, frameCount } from '@pelt/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asciiFbx } from '../../../packages/io/test/fbx/ascii-fbx.ts';
import { ROOT } from '../../../scripts/packages/public-packages.mjs';
import { checkExamples, examplesOfPages, isForPages, writeExamples } from '../examples.mjs';
import { publicItems } from '../items.mjs';
import { readReference } from '../reference.mjs';
import { seamedSequence } from './seamed-sequence.ts';

const items = publicItems((await readReference()).project);
const examples = items.flatMap(({ name, examples }) =>
  examples.map((code) => ({ name, code, inPage: isForPages(code) })),
);
const modules = writeExamples([...examples, ...examplesOfPages()]);

/** Items whose comments are still to be completed, one a line. */
const unfinished = readFileSync(join(ROOT, 'docs/api/undocumented.txt'), 'utf8').split('\n').filter(Boolean);

describe('the reference', () => {
  it('has items', () => {
    const names = items.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['@pelt/math openNumerics', '@pelt/skin/decompose decompose']));
  });

  it('describes every public function and class, with an example', () => {
    const lacking = items.filter(({ lacks }) => lacks.length > 0);
    const added = lacking.filter(({ name }) => !unfinished.includes(name));
    expect(added.map(({ name, lacks }) => `${name}: no ${lacks.join(', no ')}`)).toEqual([]);
    console.log(`${unfinished.length} items of the reference are still to be documented`);
  });

  it('lists as unfinished only what is', () => {
    const lacking = new Set(items.filter(({ lacks }) => lacks.length > 0).map(({ name }) => name));
    expect(unfinished.filter((name) => !lacking.has(name))).toEqual([]);
  });
});

describe('examples', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'pelt-examples-'));
  const before = process.cwd();
  const { sequence, copies } = seamedSequence();

  // Examples of the guide read and write files beside them.
  beforeAll(() => {
    writeFileSync(join(scratch, 'rest.obj'), writeObj(sequence.rest)[0].bytes);
    writeFileSync(join(scratch, 'clip.pc2'), writePc2(sequence));
    writeFileSync(join(scratch, 'character.fbx'), asciiFbx());
    process.chdir(scratch);
  });
  afterAll(() => {
    process.chdir(before);
    rmSync(scratch, { recursive: true, force: true });
  });

  it('compile in strict mode', () => {
    expect(checkExamples()).toBe('');
  });

  it('check what they compute', () => {
    expect(examples.filter(({ code }) => !code.includes('throw')).map(({ name }) => name)).toEqual([]);
  });

  it.each(modules.filter(({ inPage }) => !inPage))('$name', async ({ file }) => {
    await import(/* @vite-ignore */ file);
  });

  it('leave no seam open in the character of getting started', async () => {
    const played = bakeSequence(await readGltf(readFileSync(join(scratch, 'character.glb'))));
    expect(frameCount(played)).toBe(frameCount(sequence));
    expect(copies.size).toBeGreaterThan(10);
    for (let t = 0; t < frameCount(played); t++) {
      const positions = frameAt(played, t);
      const place = (i: number) => [...positions.subarray(3 * i, 3 * i + 3)];
      for (const [copy, original] of copies) expect(place(copy)).toEqual(place(original));
    }
  });
});

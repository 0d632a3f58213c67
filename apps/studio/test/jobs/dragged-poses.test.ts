import { readPairs } from '@pelt/io';
import { describe, expect, it } from 'vitest';
import { examplesFile, pairDragged } from '../../src/jobs/dragged-poses.ts';
import { Workbench } from '../../src/jobs/workbench.ts';
import { Library } from '../../src/store/library.ts';
import { Store } from '../../src/store/store.ts';

const pose = (id: string, name: string, vertex: number) => ({
  id,
  name,
  handles: [{ vertex, target: [0.1, 0.2, 0.3] as const }],
});

async function pairsOf({ store, library }: Workbench) {
  const [file] = library.get(store.state.document.puppet.pairs?.id)?.files ?? [];
  return readPairs(new Uint8Array(await file.blob.arrayBuffer()), { name: file.path });
}

describe('pairDragged', () => {
  it('begins with a neutral pair, and adds poses at moments of the motion', async () => {
    const bench = new Workbench(new Store(), new Library());
    await pairDragged(bench, pose('a', 'Pose 1', 4), 1.5);
    await pairDragged(bench, pose('b', 'Pose 2', 7), 2);
    const { pairs, neutral } = await pairsOf(bench);
    expect(neutral).toBe('neutral');
    expect(pairs.map(({ name }) => name)).toEqual(['neutral', 'Pose 1', 'Pose 2']);
    expect(pairs[1]).toMatchObject({ performer: { time: 1.5 }, character: { handles: { 4: [0.1, 0.2, 0.3] } } });
  });

  it('pairs a pose once, can be undone, and keeps pairs that were given', async () => {
    const bench = new Workbench(new Store(), new Library());
    await pairDragged(bench, pose('a', 'Pose 1', 4), 1.5);
    await pairDragged(bench, pose('a', 'Pose 1', 4), 3);
    const { pairs } = await pairsOf(bench);
    expect(pairs).toHaveLength(2);
    expect(pairs[1].performer).toEqual({ time: 3 });
    bench.store.undo();
    expect((await pairsOf(bench)).pairs[1].performer).toEqual({ time: 1.5 });
  });
});

describe('examplesFile', () => {
  it('has every pose by a name of its own', async () => {
    const { blob, path } = examplesFile([pose('a', 'Pose 1', 4), pose('b', 'Pose 1', 7)]);
    const { examples } = JSON.parse(await blob.text());
    expect(path).toBe('dragged.json');
    expect(examples.map(({ name }: { name: string }) => name)).toEqual(['Pose 1', 'Pose 1 (2)']);
    expect(examples[1].handles).toEqual({ 7: [0.1, 0.2, 0.3] });
  });
});

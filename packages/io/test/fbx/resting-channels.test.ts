import { describe, expect, it } from 'vitest';
import { withResting } from '../../src/fbx/resting-channels.ts';
import type { GltfAnimation, GltfChannel } from '../../src/gltf/scene.ts';

const TRS = {
  translation: Float64Array.of(1, 2, 3),
  rotation: Float64Array.of(0, 0, 0, 1),
  scale: Float64Array.of(1, 1, 1),
};

function channel(node: number, path: GltfChannel['path'], size: number): GltfChannel {
  return { node, path, interpolation: 'LINEAR', times: Float32Array.of(0.5), size, values: new Float32Array(size) };
}

function clip(name: string, channels: readonly GltfChannel[]): GltfAnimation {
  return { name, channels, start: 0.5, end: 0.5 } as GltfAnimation;
}

describe('properties that another clip moves', () => {
  const turns = clip('turns', [channel(0, 'rotation', 4), channel(0, 'translation', 3)]);
  const nods = clip('nods', [channel(0, 'rotation', 4), channel(1, 'rotation', 4)]);

  it('rest in the clips that move the node in another way', () => {
    const [first, second] = withResting([turns, nods], [{ trs: TRS }, { trs: TRS }]);
    expect(first).toBe(turns);
    expect(second.channels.map(({ node, path }) => `${node} ${path}`)).toEqual([
      '0 rotation',
      '1 rotation',
      '0 translation',
    ]);
    expect([...second.channels[2].values]).toEqual([1, 2, 3]);
    expect([...second.channels[2].times]).toEqual([0.5]);
  });

  it('stay out of clips that do not move the node, and of a file with one clip', () => {
    const waves = clip('waves', [channel(1, 'rotation', 4)]);
    const smiles = clip('smiles', [channel(0, 'weights', 2)]);
    expect(withResting([turns, waves, smiles], [{ trs: TRS }, { trs: TRS }])).toEqual([turns, waves, smiles]);
    expect(withResting([turns], [{ trs: TRS }])).toEqual([turns]);
  });
});

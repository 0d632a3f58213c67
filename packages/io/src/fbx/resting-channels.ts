/**
 * Clips in which every node that one moves has all properties that any clip moves of it: a property without keys stays as
 * the clip that was read before has left it in Blender, where the format has it as the node rests.
 */
import type { GltfAnimation, GltfChannel, GltfNode } from '../gltf/scene.ts';

const PATHS = ['translation', 'rotation', 'scale'] as const;

export function withResting(clips: readonly GltfAnimation[], nodes: readonly Pick<GltfNode, 'trs'>[]): GltfAnimation[] {
  const moved = new Set(clips.flatMap(({ channels }) => channels.map(({ node, path }) => `${path} ${node}`)));
  return clips.map((clip) => {
    const own = new Set(clip.channels.map(({ node, path }) => `${path} ${node}`));
    const named = new Set(clip.channels.filter(({ path }) => path !== 'weights').map(({ node }) => node));
    const resting = [...named].flatMap((node) =>
      PATHS.filter((path) => moved.has(`${path} ${node}`) && !own.has(`${path} ${node}`)).map(
        (path): GltfChannel => ({
          node,
          path,
          interpolation: 'LINEAR',
          times: Float32Array.of(clip.start),
          size: nodes[node].trs[path].length,
          values: Float32Array.from(nodes[node].trs[path]),
        }),
      ),
    );
    return resting.length > 0 ? { ...clip, channels: [...clip.channels, ...resting] } : clip;
  });
}

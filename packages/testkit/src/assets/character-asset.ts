/**
 * A character as they come from the web: skinned parts of one mesh over one vertex buffer, a second skinned mesh of the
 * same skin, a part without a skin that an animation moves, morph targets with names, several clips, a socket, a camera,
 * a light, extras, materials, and attributes that nothing uses.
 */
import { cos, sin } from '@pelt/math';
import { resolveOptions } from '@pelt/model';
import { tube } from '../shapes/tube.ts';
import { GlbBuilder } from './glb-builder.ts';

export interface CharacterAssetOptions {
  /** Primitives of the first mesh. */
  readonly parts: number;
  readonly clips: number;
  /** Keys of each curve. */
  readonly keys: number;
  readonly joints: number;
  /** Another number gives other shapes and motions. */
  readonly seed: number;
  /** Size of the model. */
  readonly scale: number;
}

export const CHARACTER_ASSET_DEFAULTS: CharacterAssetOptions = {
  parts: 3,
  clips: 2,
  keys: 13,
  joints: 4,
  seed: 1,
  scale: 1,
};

const [RINGS, SIDES] = [18, 8];

/** The bytes of a GLB. */
export function characterAsset(options?: Partial<CharacterAssetOptions>): Uint8Array {
  const { parts, clips, keys, joints, seed, scale } = resolveOptions(
    'characterAsset',
    CHARACTER_ASSET_DEFAULTS,
    options,
  );
  const glb = new GlbBuilder();
  const length = joints * scale;
  const radius = 0.15 * scale;
  const body = tube({ name: 'body', length, rings: RINGS, sides: SIDES, section: () => [radius, radius] });
  // Every vertex a little off, so that no two are the same.
  const positions = body.positions.map((value, k) => value + 0.01 * scale * sin(seed + 7.3 * k));
  const n = positions.length / 3;
  const normals = new Float32Array(3 * n).map((_, k) => (k % 3 === 1 ? 1 : 0));
  const uvs = new Float32Array(2 * n).map((_, k) => (k % 17) / 17);
  const skin = weightsAlong(positions, joints, length);
  const attributes = {
    POSITION: glb.add(positions, 3, 'vertices', true),
    NORMAL: glb.add(normals, 3, 'vertices'),
    TEXCOORD_0: glb.add(uvs, 2, 'vertices'),
    JOINTS_0: glb.add(skin.joints, 4, 'vertices'),
    WEIGHTS_0: glb.add(skin.weights, 4, 'vertices'),
  };
  const triangles = Uint16Array.from(body.triangles);
  const share = 3 * Math.floor(triangles.length / 3 / parts);
  const primitives = Array.from({ length: parts }, (_, p) => {
    const own = triangles.slice(p * share, p === parts - 1 ? undefined : (p + 1) * share);
    return { attributes, indices: glb.add(own, 1, 'indices'), material: p % 2, extras: { name: `part ${p}` } };
  });
  const hat = {
    attributes: {
      POSITION: glb.add(
        positions.map((value, k) => (k % 3 === 1 ? value + 0.5 * scale : value)),
        3,
        'vertices',
        true,
      ),
      JOINTS_0: attributes.JOINTS_0,
      WEIGHTS_0: attributes.WEIGHTS_0,
    },
    indices: glb.add(triangles, 1, 'indices'),
  };
  const deltas = positions.map((_, k) => 0.1 * scale * sin(seed + 0.31 * k));
  const face = {
    attributes: {
      POSITION: glb.add(
        positions.map((value) => 0.3 * value),
        3,
        'vertices',
        true,
      ),
    },
    targets: [
      { POSITION: glb.add(deltas, 3, 'vertices', true) },
      {
        POSITION: glb.add(
          deltas.map((d) => -d * d),
          3,
          'vertices',
          true,
        ),
      },
    ],
    indices: glb.add(triangles, 1, 'indices'),
  };
  const binds = Float32Array.from({ length: 16 * joints }, (_, k) => {
    const [j, at] = [k >> 4, k & 15];
    return at === 12 ? -j * scale : at % 5 === 0 ? 1 : 0;
  });
  const inverseBindMatrices = glb.add(binds, 16, 'data');
  // Nodes: 0 root, 1 body, 2 hat, 3 face, 4 camera, 5 light, 6 socket, then the joints.
  const first = 7;
  const bones = Array.from({ length: joints }, (_, j) => ({
    name: `joint ${j}`,
    translation: [j === 0 ? 0 : scale, 0, 0],
    extras: { limit: j },
    children: j + 1 < joints ? [first + j + 1] : [6],
  }));
  const animations = Array.from({ length: clips }, (_, c) => animation(glb, c, { keys, joints, seed, scale }, first));
  return glb.build({
    scene: 0,
    scenes: [{ name: 'stage', nodes: [0] }],
    nodes: [
      { name: 'Character', children: [1, 2, 3, 4, 5, first], extras: { author: 'nobody' } },
      { name: 'Body', mesh: 0, skin: 0 },
      { name: 'Hat', mesh: 1, skin: 0, extras: { hidden: false } },
      { name: 'Face', mesh: 2, translation: [0, 2 * scale, 0] },
      { name: 'Eye', camera: 0, translation: [0, 1, 5] },
      { name: 'Lamp', extensions: { KHR_lights_punctual: { light: 0 } } },
      { name: 'Hand socket', translation: [0.2 * scale, 0, 0] },
      ...bones,
    ],
    meshes: [
      { name: 'body mesh', primitives },
      { name: 'hat mesh', primitives: [hat] },
      { name: 'face mesh', primitives: [face], weights: [0, 0], extras: { targetNames: ['smile', 'frown'] } },
    ],
    skins: [{ name: 'skin', joints: bones.map((_, j) => first + j), inverseBindMatrices }],
    animations,
    cameras: [{ type: 'perspective', perspective: { yfov: 0.7, znear: 0.1 } }],
    materials: [
      { name: 'red', pbrMetallicRoughness: { baseColorFactor: [1, 0.2, 0.1, 1] } },
      { name: 'blue', extras: { shiny: true } },
    ],
    extensionsUsed: ['KHR_lights_punctual'],
    extensions: { KHR_lights_punctual: { lights: [{ type: 'point' }] } },
  });
}

function weightsAlong(positions: Float32Array, joints: number, length: number) {
  const n = positions.length / 3;
  const out = { joints: new Uint8Array(4 * n), weights: new Float32Array(4 * n) };
  for (let i = 0; i < n; i++) {
    const at = Math.min(Math.max((positions[3 * i] / length) * joints, 0), joints - 1);
    const [low, share] = [Math.floor(at), at - Math.floor(at)];
    const rows =
      share > 0 && low + 1 < joints
        ? [
            [low, 1 - share],
            [low + 1, share],
          ]
        : [[low, 1]];
    rows.forEach(([joint, weight], s) => {
      out.joints[4 * i + s] = joint;
      out.weights[4 * i + s] = weight;
    });
  }
  return out;
}

type Motion = Pick<CharacterAssetOptions, 'keys' | 'joints' | 'seed' | 'scale'>;

function animation(glb: GlbBuilder, c: number, { keys, joints, seed, scale }: Motion, first: number): object {
  const times = glb.add(
    Float32Array.from({ length: keys }, (_, t) => 0.25 + t / 24),
    1,
    'data',
    true,
  );
  const phase = (t: number) => seed + 2 * c + (6 * t) / keys;
  const samplers: object[] = [];
  const channels: object[] = [];
  const curve = (node: number, path: string, size: number, value: (t: number) => number[]) => {
    const values = Float32Array.from(Array.from({ length: keys }, (_, t) => value(t)).flat());
    samplers.push({ input: times, output: glb.add(values, size, 'data') });
    channels.push({ sampler: samplers.length - 1, target: { node, path } });
  };
  for (let j = 0; j < joints; j++) {
    const turn = (t: number) => 0.3 * sin(phase(t) + j);
    curve(first + j, 'rotation', 4, (t) => [0, 0, sin(turn(t)), cos(turn(t))]);
    // As exporters write them: constant, and as at rest.
    curve(first + j, 'translation', 3, () => [j === 0 ? 0 : scale, 0, 0]);
    curve(first + j, 'scale', 3, () => [1, 1, 1]);
  }
  curve(3, 'translation', 3, (t) => [0, (2 + 0.5 * sin(phase(t))) * scale, 0]);
  curve(3, 'weights', 1, (t) => [0.5 + 0.5 * sin(phase(t)), 0.2]);
  return { name: `clip ${c}`, samplers, channels };
}

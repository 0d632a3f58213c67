import { InputError, PeltError } from '@pelt/model';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { bakeSequence, readGltf, readRig, writeSkinnedGlb } from '../../src/index.ts';
import { FileBuilder, TRIANGLE } from './file-builder.ts';
import { binaryOf, glbOf, type Json, jsonOf } from './glb-json.ts';
import { randomRig, richSheet } from './models.ts';

/** A file with a bit of everything: skin, morph targets (sparse), two clips, textures, a payload. */
let whole: Uint8Array;

beforeAll(async () => {
  const { rig, clip } = randomRig({ bones: 3, slots: 5, frames: 2 }, richSheet(3, 3));
  const delta = new Float32Array(27);
  delta[4] = 1;
  whole = (
    await writeSkinnedGlb({
      rig,
      clips: [clip],
      morphs: { deltas: [delta], weights: [Float32Array.of(0, 1)] },
      extensions: [{ name: 'PELT_test', json: { a: 1 }, buffers: { b: Float32Array.of(1, 2) } }],
    })
  ).bytes;
});

/** Reads and uses a file: it must work, or fail with one line. */
async function use(bytes: Uint8Array): Promise<'fine' | PeltError> {
  try {
    const asset = await readGltf(bytes, { name: 'bad.glb' });
    readRig(asset);
    bakeSequence(asset);
    return 'fine';
  } catch (error) {
    if (!(error instanceof PeltError)) throw error;
    expect(error.message).not.toContain('\n');
    return error;
  }
}

async function failure(bytes: Uint8Array): Promise<string> {
  const result = await use(bytes);
  expect(result).toBeInstanceOf(InputError);
  return (result as PeltError).message;
}

describe('bytes', () => {
  it('cut off anywhere are an error', async () => {
    for (let length = 0; length < whole.length; length++) {
      expect(await use(whole.subarray(0, length)), `${length} bytes`).toBeInstanceOf(InputError);
    }
  });

  it('that are whole are fine', async () => {
    expect(await use(whole)).toBe('fine');
  });

  it('changed anywhere give an asset or an error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const changed = whole.slice();
        changed[at] ^= mask;
        await use(changed);
      }),
      { numRuns: 600 },
    );
  });

  it('of anything else are an error', async () => {
    for (const text of [
      '',
      '{',
      '[]',
      'null',
      '"glTF"',
      '{}',
      '{"asset":{}}',
      'glTF',
      'glTF\x02\0\0\0\x0c\0\0\0',
      'solid cube',
    ]) {
      await failure(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
    }
    await failure(new Uint8Array(100).fill(255));
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        expect(await use(bytes)).toBeInstanceOf(PeltError);
      }),
    );
  });

  it('of other versions are not supported', async () => {
    const other = whole.slice();
    other[4] = 1;
    expect(await use(other)).toMatchObject({ name: 'UnsupportedError' });
    expect(await use(glbOf({ ...jsonOf(whole), asset: { version: '1.0' } }, binaryOf(whole)))).toMatchObject({
      name: 'UnsupportedError',
    });
  });
});

/** Every place in a JSON value, as a list of keys. */
function placesIn(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.keys(value).flatMap((key) => placesIn(value[key], [...path, key]))];
}

function changed(json: Json, path: readonly (string | number)[], value: unknown): Json {
  const copy = structuredClone(json);
  let at = copy;
  for (const key of path.slice(0, -1)) at = at[key];
  const last = path[path.length - 1];
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

describe('JSON', () => {
  const NONSENSE = [undefined, null, -1, 0.5, 3, 2 ** 31, 2 ** 32, 1e300, 'x', true, [], [[]], {}];
  /** Tries in each place; the next place goes on in the list. */
  const TRIES = 2;

  it('with nonsense in any one place gives an asset or an error', async () => {
    const json = jsonOf(whole);
    const binary = binaryOf(whole);
    let next = 0;
    for (const path of placesIn(json).slice(1)) {
      for (let k = 0; k < TRIES; k++) {
        await use(glbOf(changed(json, path, NONSENSE[next++ % NONSENSE.length]), binary));
      }
    }
  });

  it('that is nested deeper than a stack gives an error', async () => {
    const deep = `{"asset":{"version":"2.0"},"extras":${'['.repeat(200000)}${']'.repeat(200000)}}`;
    expect(await use(new TextEncoder().encode(deep))).toBeInstanceOf(PeltError);
  });

  it('that says __proto__ changes nothing else', async () => {
    const text = JSON.stringify(jsonOf(whole)).replace(
      '{"asset"',
      '{"__proto__":{"polluted":1},"constructor":3,"asset"',
    );
    await use(new TextEncoder().encode(text));
    expect(({} as Json).polluted).toBeUndefined();
  });
});

function triangle(): { builder: FileBuilder; attributes: Json } {
  const builder = new FileBuilder();
  return { builder, attributes: { POSITION: builder.floats('VEC3', TRIANGLE) } };
}

describe('nodes', () => {
  it('that go in a circle', async () => {
    const { builder, attributes } = triangle();
    builder.node({ mesh: builder.mesh({ attributes }) });
    builder.node({ children: [2] }, false);
    builder.node({ children: [1] }, false);
    expect(await failure(builder.glb())).toBe("glTF 'bad.glb': nodes[1] is its own ancestor");
    builder.json.nodes[1].children = [1];
    builder.json.nodes[2].children = [];
    expect(await failure(builder.glb())).toContain('nodes[1] is its own ancestor');
  });

  it('with two parents', async () => {
    const { builder, attributes } = triangle();
    const child = builder.node({ mesh: builder.mesh({ attributes }) }, false);
    builder.node({ children: [child] });
    builder.node({ children: [child] });
    expect(await failure(builder.glb())).toContain('nodes[0] has two parents');
  });

  it('that are infinitely far away', async () => {
    const { builder, attributes } = triangle();
    builder.node({ mesh: builder.mesh({ attributes }), translation: [0, 0, 1e300] });
    expect(await failure(builder.glb())).toContain('not a finite number');
    const text = JSON.stringify(builder.json).replace('1e+300', '1e999');
    const uri = `data:;base64,${btoa(String.fromCharCode(...builder.binary))}`;
    const endless = text.replace('"buffers":[{', `"buffers":[{"uri":"${uri}",`);
    expect(await failure(new TextEncoder().encode(endless))).toContain(
      'nodes[0].translation[2] is Infinity, expected a finite',
    );
  });
});

describe('numbers', () => {
  it('that are not numbers', async () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const builder = new FileBuilder();
      const position = builder.floats('VEC3', [0, 0, 0, 1, value, 0, 0, 1, 0]);
      builder.node({ mesh: builder.mesh({ attributes: { POSITION: position } }) });
      expect(await failure(builder.glb())).toBe(
        `glTF 'bad.glb': accessors[0]: element 1 is ${value}, not a finite number`,
      );
    }
  });

  it('that name vertices, materials or nodes which are not there', async () => {
    const { builder, attributes } = triangle();
    const indices = builder.accessor('SCALAR', Uint16Array.of(0, 1, 3));
    builder.node({ mesh: builder.mesh({ attributes, indices }) });
    expect(await failure(builder.glb())).toContain('index 3 at 2 is out of range, there are 3 vertices');
    builder.json.meshes[0].primitives[0] = { attributes, material: 0 };
    expect(await failure(builder.glb())).toContain('material is 0, expected absent');
    builder.json.meshes[0].primitives[0] = { attributes };
    builder.json.scenes[0].nodes = [7];
    expect(await failure(builder.glb())).toContain('scenes[0].nodes[0] is 7, expected an index below 1');
  });

  it('that reach beyond the data', async () => {
    const cases: [string, (json: Json) => void][] = [
      ['accessors[0] ends at byte', (json) => (json.accessors[0].count = 4)],
      ['accessors[0] ends at byte', (json) => (json.accessors[0].byteOffset = 4)],
      ['would make', (json) => (json.accessors[0].count = 2 ** 32)],
      ['bufferViews[0] ends at byte', (json) => (json.bufferViews[0].byteLength = 2 ** 40)],
      ['buffers[0] needs', (json) => (json.buffers[0].byteLength = 2 ** 32)],
      [
        'has no data',
        (json) => {
          json.buffers.push({ byteLength: 9 });
          json.bufferViews[0].buffer = 1;
        },
      ],
      ['but bufferViews[0] steps 4', (json) => (json.bufferViews[0].byteStride = 4)],
      ['would make', (json) => (json.accessors[0] = { count: 2 ** 31, componentType: 5126, type: 'VEC3' })],
    ];
    for (const [message, change] of cases) {
      const { builder, attributes } = triangle();
      builder.node({ mesh: builder.mesh({ attributes }) });
      change(builder.json);
      expect(await failure(builder.glb())).toContain(message);
    }
  });

  it('of sparse elements that are not there', async () => {
    const builder = new FileBuilder();
    const sparse = {
      count: 1,
      indices: { bufferView: builder.view(Uint8Array.of(3)), componentType: 5121 },
      values: { bufferView: builder.view(new Uint8Array(12)) },
    };
    const POSITION = builder.rawAccessor({ componentType: 5126, count: 3, type: 'VEC3', sparse });
    builder.node({ mesh: builder.mesh({ attributes: { POSITION } }) });
    expect(await failure(builder.glb())).toContain('sparse.indices element 0 is 3, expected an index below 3');
    sparse.count = 4;
    expect(await failure(builder.glb())).toContain('more than the accessor');
  });

  it('of attributes that do not match their vertices', async () => {
    const { builder, attributes } = triangle();
    attributes.NORMAL = builder.floats('VEC3', [0, 0, 1]);
    builder.node({ mesh: builder.mesh({ attributes }) });
    expect(await failure(builder.glb())).toContain('NORMAL has 1 elements, but there are 3 vertices');
    attributes.NORMAL = builder.floats('VEC2', [0, 0, 1, 1, 1, 1]);
    expect(await failure(builder.glb())).toContain('with 2 numbers an element, expected 3');
  });
});

describe('skins', () => {
  function skinned(): FileBuilder {
    const { builder, attributes } = triangle();
    attributes.JOINTS_0 = builder.accessor('VEC4', new Uint8Array(12));
    attributes.WEIGHTS_0 = builder.floats('VEC4', [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    builder.node({ mesh: builder.mesh({ attributes }), skin: builder.list('skins', { joints: [1] }) });
    builder.node({ translation: [0, 0, 1] });
    return builder;
  }

  it('that are right', async () => {
    expect(await use(skinned().glb())).toBe('fine');
  });

  it('with joints out of range', async () => {
    const builder = skinned();
    builder.json.meshes[0].primitives[0].attributes.JOINTS_0 = builder.accessor('VEC4', new Uint8Array(12).fill(1));
    expect(await failure(builder.glb())).toContain('vertex 0 of nodes[0] names joint 1, but its skin has 1');
    builder.json.skins[0].joints = [2];
    expect(await failure(builder.glb())).toContain('skins[0].joints[0] is 2');
    builder.json.skins[0].joints = [];
    expect(await failure(builder.glb())).toContain('has no joints');
  });

  it('with too few matrices, or of another type', async () => {
    const builder = skinned();
    builder.json.skins[0] = { joints: [1, 0], inverseBindMatrices: builder.floats('MAT4', new Array(16).fill(0)) };
    expect(await failure(builder.glb())).toContain('2 joints, but 1 inverse bind matrices');
    builder.json.skins[0].inverseBindMatrices = 0;
    expect(await failure(builder.glb())).toContain('expected 16');
  });

  it('with joints but no weights', async () => {
    const builder = skinned();
    delete builder.json.meshes[0].primitives[0].attributes.WEIGHTS_0;
    expect(await failure(builder.glb())).toContain('JOINTS_0 without WEIGHTS_0');
  });
});

describe('animations', () => {
  function animated(times: number[], values: number[], extra: Json = {}): FileBuilder {
    const { builder, attributes } = triangle();
    builder.node({ mesh: builder.mesh({ attributes }) });
    const sampler = { input: builder.floats('SCALAR', times), output: builder.floats('VEC3', values), ...extra };
    builder.list('animations', {
      samplers: [sampler],
      channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }],
    });
    return builder;
  }

  it('that go backwards, start before 0 or are not numbers', async () => {
    expect(await failure(animated([1, 0], [0, 0, 0, 1, 1, 1]).glb())).toContain('comes before the one at 1 s');
    expect(await failure(animated([-1, 0], [0, 0, 0, 1, 1, 1]).glb())).toContain('before 0');
    expect(await failure(animated([0, Number.NaN], [0, 0, 0, 1, 1, 1]).glb())).toContain('is NaN');
    expect(await failure(animated([0, 1], [0, 0, 0, 1, Infinity, 1]).glb())).toContain('is Infinity');
  });

  it('with too many or too few values', async () => {
    expect(await failure(animated([0, 1], [0, 0, 0]).glb())).toContain('2 keys need 6 numbers');
    const spline = animated([0, 1], [0, 0, 0, 1, 1, 1], { interpolation: 'CUBICSPLINE' });
    expect(await failure(spline.glb())).toContain('2 keys need 18 numbers');
    expect(await failure(animated([0, 1], [0, 0, 0, 1, 1, 1], { interpolation: 'BEZIER' }).glb())).toContain(
      'interpolation',
    );
  });

  it('of what is not there are left out with a warning', async () => {
    const builder = animated([0, 1], [0, 0, 0, 1, 1, 1]);
    const [{ channels }] = builder.json.animations;
    channels.push({ sampler: 0, target: { node: 0, path: 'weights' } });
    channels.push({ sampler: 0, target: { path: 'pointer' } });
    const warnings: string[] = [];
    const asset = await readGltf(builder.glb(), { onWarning: (message) => warnings.push(message) });
    expect(asset.animations[0].channels).toHaveLength(1);
    expect(warnings).toHaveLength(2);
  });
});

describe('small files that want a large memory', () => {
  it('by naming one view many times', async () => {
    const builder = new FileBuilder();
    const view = builder.view(new Uint8Array(1 << 20));
    const accessor = { bufferView: view, componentType: 5126, count: 87381, type: 'VEC3' };
    builder.json.accessors = new Array(3000).fill(accessor);
    builder.node({ mesh: builder.mesh({ attributes: { POSITION: 0 } }) });
    expect(await failure(builder.glb())).toContain('expand to');
  });

  it('by showing one mesh many times', async () => {
    const builder = new FileBuilder();
    const position = builder.accessor('VEC3', new Float32Array(3 * 20000));
    const mesh = builder.mesh({ attributes: { POSITION: position } });
    for (let k = 0; k < 4000; k++) builder.node({ mesh });
    expect(await failure(builder.glb())).toContain('larger than');
  });
});

it('an empty scene, and one without triangles, say so', async () => {
  const builder = new FileBuilder();
  expect(await failure(builder.glb())).toBe("glTF 'bad.glb': there are no triangles in its scene");
  const position = builder.floats('VEC3', [0, 0, 0]);
  builder.node({ mesh: builder.mesh({ attributes: { POSITION: position } }) });
  expect(await failure(builder.glb())).toContain('no triangles');
});

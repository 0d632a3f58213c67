/** The schemas of docs/extensions describe what is written: every extension of a file is checked against its own. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readGlbContainer } from '../../src/gltf/glb-container.ts';
import {
  bodyExtension,
  dynamicsExtension,
  eigenSkinExtension,
  type GltfExtension,
  puppetExtension,
  twoLayerExtension,
  writeSkinnedGlb,
} from '../../src/index.ts';
import { randomRig } from './models.ts';

const folder = new URL('../../../../docs/extensions/schema/', import.meta.url);

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
}

/** All words of JSON Schema that the schemas use; another one fails the test below. */
const KNOWN =
  /^(?:\$schema|\$id|\$ref|title|description|allOf|type|const|enum|minimum|exclusiveMinimum|minItems|maxItems|items|properties|additionalProperties|required)$/;

function readSchema(name: string): Schema {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
}

/** What is wrong with a value, by the part of JSON Schema that the schemas use. */
function faults(schema: Schema, value: unknown, where: string): string[] {
  const found: string[] = [];
  const say = (what: string) => found.push(`${where}: ${what}`);
  if (schema.$ref) found.push(...faults(readSchema(schema.$ref), value, where));
  for (const part of schema.allOf ?? []) found.push(...faults(part, value, where));
  if (schema.type && !isOfType(schema.type, value)) say(`is not ${schema.type}`);
  if (schema.const !== undefined && value !== schema.const) say(`is not ${String(schema.const)}`);
  if (schema.enum && !schema.enum.includes(value)) say(`is none of ${schema.enum.join()}`);
  if (schema.minimum !== undefined && !(Number(value) >= schema.minimum)) say(`is below ${schema.minimum}`);
  if (schema.exclusiveMinimum !== undefined && !(Number(value) > schema.exclusiveMinimum)) say('is too small');
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Infinity))
      say('has another length');
    for (const [k, item] of value.entries()) found.push(...faults(schema.items ?? {}, item, `${where}[${k}]`));
  } else if (typeof value === 'object' && value !== null) {
    const own = value as Record<string, unknown>;
    for (const key of schema.required ?? []) if (!(key in own)) say(`has no ${key}`);
    for (const [key, child] of Object.entries(own)) {
      const rule = schema.properties?.[key] ?? schema.additionalProperties;
      if (rule) found.push(...faults(rule, child, `${where}.${key}`));
    }
  }
  return found;
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function words(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap(words);
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties' ? Object.values(value as object).flatMap(words) : [key, ...words(value)],
  );
}

async function written(extension: GltfExtension): Promise<Record<string, unknown>> {
  const { bytes } = await writeSkinnedGlb({ rig: randomRig().rig, clips: [], extensions: [extension] });
  const { extensions, extensionsUsed, extensionsRequired } = JSON.parse(
    new TextDecoder().decode(readGlbContainer(bytes).json),
  );
  expect(extensionsUsed).toContain(extension.name);
  expect(extensionsRequired ?? []).not.toContain(extension.name);
  return extensions[extension.name];
}

const masters = { slots: 1, bones: Uint16Array.of(0), weights: Float32Array.of(1) };
const EXAMPLES: readonly GltfExtension[] = [
  bodyExtension({
    body: { name: '', positions: new Float32Array(12), tetrahedra: new Uint32Array(4), surface: new Uint32Array(3) },
    skin: masters,
    fixed: new Uint32Array(1),
    yielding: true,
    settings: { method: 'smooth', tolerance: 1e-4 },
  }),
  puppetExtension({
    pairs: {
      name: 'one',
      joints: ['head'],
      neutral: 0,
      pairs: [{ name: 'still', performer: new Float32Array(3), character: { transforms: new Float64Array(12) } }],
    },
    settings: { parts: 'limbs', contacts: ['foot'], loose: [] },
  }),
  twoLayerExtension({ masters, vertices: masters }),
  eigenSkinExtension(1, { poses: new Float64Array(12), amounts: new Float32Array(1) }),
  {
    name: 'PELT_envelope',
    json: { version: 1, proxies: 1, form: 'exponential-of-sum', keySlots: 1, skinSlots: 1 },
    buffers: {
      centres: new Float64Array(3),
      keyReferences: new Uint16Array(1),
      keyBlocks: new Int32Array(1),
      keyRotationMaps: new Float64Array(9),
      keyStretchMaps: new Float64Array(36),
      fromKeys: new Float64Array(12),
      fromBones: new Float64Array(16),
      skinBones: new Uint16Array(1),
      skinWeights: new Float32Array(1),
    },
  },
  dynamicsExtension({
    gravity: new Float64Array(3),
    drivers: new Uint16Array(1),
    speeds: new Float64Array(2),
    posed: new Uint16Array(0),
    bones: new Uint16Array(1),
    centres: new Float64Array(3),
    rest: new Float64Array(12),
    modes: new Float64Array(12),
    limits: new Float64Array(1),
    offsets: new Float64Array(1),
    poseMap: new Float64Array(3),
    motionMap: new Float64Array(0),
    poles: Float64Array.of(1, 0.1, 1),
    channels: new Float64Array(18),
    readOut: new Float64Array(2),
  }),
  {
    name: 'PELT_poser',
    json: { version: 1, center: [0, 0, 0], size: 1, exampleNames: ['a'], examples: 1, details: false },
    buffers: {
      vertexProxies: new Uint32Array(1),
      proxyWeights: new Float64Array(1),
      blockStarts: new Uint32Array(2),
      blockControls: new Uint16Array(1),
      blocks: new Float64Array(12),
      exampleLogs: new Float64Array(3),
      exampleStretches: new Float64Array(6),
      exampleTransforms: new Float64Array(12),
    },
  },
];

describe('schemas of the extensions', () => {
  it('use no word that is not checked here', () => {
    const names = readdirSync(folder);
    expect(names).toHaveLength(10);
    for (const name of names) for (const word of words(readSchema(name))) expect(word).toMatch(KNOWN);
  });

  it.each(EXAMPLES)('accept what is written as $name, and refuse what is not it', async (extension) => {
    const schema = readSchema(`${extension.name}.schema.json`);
    const json = await written(extension);
    expect(faults(schema, json, extension.name)).toEqual([]);
    expect(faults(schema, { ...json, version: 9 }, 'x')).toHaveLength(1);
    const [first] = Object.keys(extension.buffers);
    const buffers = { ...(json.buffers as object), [first]: { type: 'Int8Array', length: -1 } };
    expect(faults(schema, { ...json, buffers }, 'x').length).toBeGreaterThanOrEqual(2);
    expect(faults(schema, { version: 1 }, 'x').some((fault) => fault.includes('has no buffers'))).toBe(true);
  });
});

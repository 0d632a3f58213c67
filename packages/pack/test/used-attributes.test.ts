import { expect, it } from 'vitest';
import { attributeUse, usesAttribute } from '../src/used-attributes.ts';

const materials = [
  {},
  { pbrMetallicRoughness: { baseColorTexture: { index: 0 } } },
  { normalTexture: { index: 0, texCoord: 1 } },
  { occlusionTexture: { index: 0, extensions: { KHR_texture_transform: { texCoord: 2 } } } },
  { extensions: { KHR_materials_sheen: { sheenColorTexture: { index: 1, texCoord: 3 } } } },
];
const uses = (material: number, semantic: string) =>
  usesAttribute(attributeUse(materials, { material }, false), semantic);

it('UVs are used up to the last set that a texture names, wherever it stands', () => {
  expect([0, 1, 2, 3, 4].map((m) => [0, 1, 2, 3].filter((set) => uses(m, `TEXCOORD_${set}`)).length)).toEqual([
    0, 1, 2, 3, 4,
  ]);
});

it('tangents are used by normal maps, joints by skins, everything else always', () => {
  expect([0, 1, 2].map((m) => uses(m, 'TANGENT'))).toEqual([false, false, true]);
  expect(uses(0, 'JOINTS_0')).toBe(false);
  expect(usesAttribute(attributeUse([], {}, true), 'WEIGHTS_1')).toBe(true);
  for (const semantic of ['POSITION', 'NORMAL', 'COLOR_0', '_TEMPERATURE']) expect(uses(0, semantic)).toBe(true);
});

it('materials of variants count too', () => {
  const variants = { KHR_materials_variants: { mappings: [{ material: 2, variants: [0] }] } };
  const use = attributeUse(materials, { material: 0, extensions: variants }, false);
  expect(usesAttribute(use, 'TEXCOORD_1')).toBe(true);
});

/** The vertices of a PLY file: what their properties are called, gathered into one array for each attribute. */
import { InputError } from '@pelt/model';
import type { PlyElement, PlyType } from './ply-header.ts';
import { type PlySource, skipPlyProperty } from './ply-source.ts';

/** Properties that together are one attribute, and their values. */
export interface PlyColumns {
  readonly size: number;
  /** As the header declares the first of them; integers are shares of their type's range. */
  readonly type: PlyType;
  /** n × size, as the file has them */
  readonly values: Float32Array;
}

export interface PlyVertices {
  readonly positions: PlyColumns;
  readonly normals: PlyColumns | undefined;
  readonly uvs: PlyColumns | undefined;
  readonly colors: PlyColumns | undefined;
}

/** What programs call each attribute's properties; the first row that is complete counts. */
const POSITION_NAMES = [['x', 'y', 'z']];
const NORMAL_NAMES = [['nx', 'ny', 'nz']];
const UV_NAMES = [
  ['s', 't'],
  ['u', 'v'],
  ['texture_u', 'texture_v'],
  ['texture_s', 'texture_t'],
];
const COLOR_NAMES = [
  ['red', 'green', 'blue', 'alpha'],
  ['red', 'green', 'blue'],
  ['r', 'g', 'b', 'a'],
  ['r', 'g', 'b'],
  ['diffuse_red', 'diffuse_green', 'diffuse_blue'],
];

interface Target {
  readonly values: Float32Array;
  readonly size: number;
  readonly offset: number;
}

/** @param element  whose rows are next in `source`, and known to fit */
export function readPlyVertices(element: PlyElement, source: PlySource, label: string): PlyVertices {
  const types = new Map<string, PlyType>();
  for (const { name, type, countType } of element.properties) if (countType === undefined) types.set(name, type);
  const targets = new Map<string, Target>();
  const columns = (choices: readonly string[][]): PlyColumns | undefined => {
    const names = choices.find((choice) => choice.every((name) => types.has(name)));
    if (!names) return undefined;
    const size = names.length;
    const values = new Float32Array(element.count * size);
    names.forEach((name, offset) => {
      targets.set(name, { values, size, offset });
    });
    return { size, type: types.get(names[0]) ?? 'float32', values };
  };
  const positions = columns(POSITION_NAMES);
  if (!positions) throw new InputError(`${label}: element 'vertex' lacks x, y or z; the file holds no mesh`);
  const vertices = {
    positions,
    normals: columns(NORMAL_NAMES),
    uvs: columns(UV_NAMES),
    colors: columns(COLOR_NAMES),
  };

  const order = element.properties.map((property) => ({
    property,
    field: `vertex.${property.name}`,
    target: property.countType === undefined ? targets.get(property.name) : undefined,
  }));
  for (let i = 0; i < element.count; i++) {
    for (const { property, field, target } of order) {
      if (target) target.values[i * target.size + target.offset] = source.value(property.type, field);
      else skipPlyProperty(source, property, field);
    }
  }
  return vertices;
}

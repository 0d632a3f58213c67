/**
 * Mutations of the tree of an FBX: nodes removed, doubled, exchanged and moved, numbers and lists changed, so that a mutant
 * is a file whose lists still inflate and whose offsets still hold.
 */
import type { Random } from '@pelt/math';
import { type FbxNode, type FbxValue, isArray } from '../../src/fbx/fbx-node.ts';
import { isBinaryFbx, readBinaryFbx } from '../../src/fbx/read-binary.ts';
import { type OutNode, type OutValue, writeBinaryFbx } from '../../src/fbx/write-binary.ts';
import type { Mutate } from './mutate.ts';

const NUMBERS = [0, 1, -1, 2, 3, 255, 65_536, 2 ** 31 - 1, -(2 ** 31), 0.5, -1e9];
const MOST_CHANGES = 4;

interface Branch {
  name: string;
  values: OutValue[];
  children: Branch[];
}

/** @throws where the file is not a binary FBX that can be read */
export function mutateFbx(bytes: Uint8Array): Mutate {
  if (!isBinaryFbx(bytes)) throw new TypeError('not a binary FBX');
  const good: Branch = { name: '', values: [], children: readBinaryFbx(bytes).nodes.map(branch) };
  return (random) => {
    const root = structuredClone(good);
    for (let k = 1 + below(random, MOST_CHANGES); k > 0; k--) change(root, random);
    return writeBinaryFbx(root.children as OutNode[]);
  };
}

const below = (random: Random, count: number) => random.bits() % Math.max(count, 1);

function branch({ name, values, children }: FbxNode): Branch {
  return { name, values: values.map(outValue), children: children.map(branch) };
}

function outValue(value: FbxValue): OutValue {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return { type: 'C', value: value ? 1 : 0 };
  if (typeof value === 'bigint') return { type: 'L', value: Number(value) };
  if (typeof value === 'number') return Number.isInteger(value) ? { type: 'L', value } : { type: 'D', value };
  if (!isArray(value)) return value as Uint8Array<ArrayBuffer>;
  const numbers = value.numbers();
  return numbers instanceof Int32Array || numbers instanceof Float64Array ? numbers : Float64Array.from(numbers);
}

function change(root: Branch, random: Random): void {
  const all: { readonly owner: Branch; readonly at: number }[] = [];
  collect(root, all);
  if (all.length === 0) return;
  const { owner, at } = all[below(random, all.length)];
  const other = all[below(random, all.length)];
  const chosen = owner.children[at];
  switch (below(random, 6)) {
    case 0:
      owner.children.splice(at, 1);
      break;
    case 1:
      owner.children.push(structuredClone(chosen));
      break;
    case 2:
      owner.children[at] = structuredClone(other.owner.children[other.at]);
      break;
    case 3:
      chosen.name = other.owner.children[other.at].name;
      break;
    default:
      changeValue(chosen, random);
  }
}

function changeValue({ values }: Branch, random: Random): void {
  const at = below(random, values.length);
  const value = values[at];
  const number = NUMBERS[below(random, NUMBERS.length)];
  if (value === undefined) values.push({ type: 'L', value: number });
  else if (value instanceof Int32Array || value instanceof Float64Array) {
    const cut = below(random, 3) === 0 ? value.slice(0, below(random, value.length + 1)) : value.slice();
    if (cut.length > 0) cut[below(random, cut.length)] = number;
    values[at] = cut;
  } else if (typeof value === 'string')
    values[at] = ['', 'Geometry', 'Deformer', 'Model', value.slice(1)][below(random, 5)];
  else if (below(random, 4) === 0) values.splice(at, 1);
  else values[at] = { type: 'L', value: Math.trunc(number) };
}

function collect(node: Branch, out: { readonly owner: Branch; readonly at: number }[]): void {
  for (const [at, child] of node.children.entries()) {
    out.push({ owner: node, at });
    collect(child, out);
  }
}

/**
 * The objects of an FBX file and what joins them. A file is a graph: objects under `Objects`, each with an id, and
 * `Connections` from a child to a parent, or to a property of it. Nothing in the graph can be trusted: ids may repeat
 * and connections go in circles.
 */
import { InputError } from '@pelt/model';
import { childNamed, childrenNamed, type FbxId, type FbxNode, type FbxValue } from './fbx-node.ts';
import type { FbxTree } from './read-binary.ts';

export interface FbxObject {
  readonly id: FbxId;
  /** `Model`, `Geometry`, `Deformer` … */
  readonly kind: string;
  /** `Mesh`, `LimbNode`, `Skin`, `Cluster` … */
  readonly type: string;
  readonly name: string;
  readonly node: FbxNode;
}

export interface FbxLink {
  readonly object: FbxObject;
  /** The property that is connected; empty for the object itself. */
  readonly property: string;
}

type Properties = ReadonlyMap<string, readonly FbxValue[]>;

/** Where a property's values begin in its `P` record: name, type, label, flags come before. */
const FIRST_VALUE = 4;

export class FbxObjects {
  readonly version: number;
  readonly settings: Properties;
  readonly #objects = new Map<FbxId, FbxObject>();
  readonly #children = new Map<FbxId, FbxLink[]>();
  readonly #parents = new Map<FbxId, FbxLink[]>();
  readonly #templates = new Map<string, Properties>();
  readonly #properties = new Map<FbxObject, Properties>();

  constructor({ version, nodes }: FbxTree) {
    this.version = version;
    const settings = nodes.find(({ name }) => name === 'GlobalSettings');
    this.settings = settings ? propertiesOf(settings) : new Map();
    for (const { name, children } of nodes) {
      if (name === 'Definitions') this.#readTemplates(children);
      if (name === 'Objects') for (const node of children) this.#add(node);
    }
    if (this.#objects.size === 0) throw new InputError('it has no objects; export it again, or as glTF');
    for (const { name, children } of nodes) {
      if (name === 'Connections') for (const node of children) this.#connect(node.values);
    }
  }

  all(kind: string): FbxObject[] {
    return [...this.#objects.values()].filter((object) => object.kind === kind);
  }

  /** What is connected to an object, in the order of the file. */
  childrenOf({ id }: FbxObject, kind?: string): FbxLink[] {
    const links = this.#children.get(id) ?? [];
    return kind ? links.filter(({ object }) => object.kind === kind) : links;
  }

  parentsOf({ id }: FbxObject, kind?: string): FbxLink[] {
    const links = this.#parents.get(id) ?? [];
    return kind ? links.filter(({ object }) => object.kind === kind) : links;
  }

  /** Numbers of a property: the object's own, else those of its type's template, else the fallback. */
  vector(object: FbxObject, name: string, fallback: readonly number[]): number[] {
    const values = this.#property(object, name);
    return fallback.map((value, k) => finite(values?.[k], value));
  }

  number(object: FbxObject, name: string, fallback: number): number {
    return finite(this.#property(object, name)?.[0], fallback);
  }

  setting(name: string, fallback: number): number {
    return finite(this.settings.get(name)?.[0], fallback);
  }

  /** Whether the object itself, not a template, has a property. */
  has(object: FbxObject, name: string): boolean {
    return this.#own(object).has(name);
  }

  #own(object: FbxObject): Properties {
    let own = this.#properties.get(object);
    if (!own) {
      own = propertiesOf(object.node);
      this.#properties.set(object, own);
    }
    return own;
  }

  #property(object: FbxObject, name: string): readonly FbxValue[] | undefined {
    return this.#own(object).get(name) ?? this.#templates.get(object.kind)?.get(name);
  }

  #add(node: FbxNode): void {
    const [id, label, type] = node.values;
    if ((typeof id !== 'number' && typeof id !== 'bigint') || this.#objects.has(id)) return;
    const object = {
      id,
      kind: node.name,
      type: typeof type === 'string' ? type : '',
      name: typeof label === 'string' ? plainName(label) : '',
      node,
    };
    this.#objects.set(id, object);
  }

  #connect([how, child, parent, property]: readonly FbxValue[]): void {
    const from = this.#objects.get(child as FbxId);
    if (!from || (how !== 'OO' && how !== 'OP')) return;
    const to = this.#objects.get(parent as FbxId);
    if (!to) return;
    const name = typeof property === 'string' ? property : '';
    push(this.#children, to.id, { object: from, property: name });
    push(this.#parents, from.id, { object: to, property: name });
  }

  #readTemplates(nodes: readonly FbxNode[]): void {
    for (const node of nodes) {
      const [kind] = node.values;
      const template = childNamed(node, 'PropertyTemplate');
      if (node.name === 'ObjectType' && typeof kind === 'string' && template) {
        this.#templates.set(kind, propertiesOf(template));
      }
    }
  }
}

function propertiesOf(node: FbxNode): Properties {
  const found = new Map<string, readonly FbxValue[]>();
  for (const list of childrenNamed(node, 'Properties70')) {
    for (const { name, values } of list.children) {
      if (name === 'P' && typeof values[0] === 'string') found.set(values[0], values.slice(FIRST_VALUE));
    }
  }
  return found;
}

/** `name\0\x01Class` in binary files, `Class::name` in text. */
function plainName(label: string): string {
  const end = label.indexOf('\0\x01');
  if (end >= 0) return label.slice(0, end);
  const start = label.indexOf('::');
  return start >= 0 ? label.slice(start + 2) : label;
}

function finite(value: FbxValue | undefined, fallback: number): number {
  const number = typeof value === 'boolean' || typeof value === 'bigint' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : fallback;
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

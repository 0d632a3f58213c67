/**
 * The object hierarchy of an archive. Instances are resolved here: an instance takes the schema, properties and subtree
 * of its source. All traversals are iterative, because the depth is up to the file.
 *
 * Layout of an object's group: its properties, its children, the headers of the children.
 */
import { InputError } from '@pelt/model';
import { type ArchiveTables, metadataValue, readObjectHeaders } from './headers.ts';
import type { OgawaFile, OgawaGroup } from './ogawa-file.ts';
import { Compound } from './property.ts';

/** Limit on objects added by instances; an instance that contains itself would be infinite. */
const MAX_INSTANCED = 100_000;

export class AbcObject {
  readonly name: string;
  /** `/group/shape`; empty for the top object. */
  readonly path: string;
  readonly parent: AbcObject | undefined;
  readonly children: AbcObject[] = [];
  #metadata: string;
  #open: () => Compound;
  #properties: Compound | undefined;

  constructor(name: string, parent: AbcObject | undefined, metadata: string, open: () => Compound) {
    this.name = name;
    this.path = parent ? `${parent.path}/${name}` : '';
    this.parent = parent;
    this.#metadata = metadata;
    this.#open = open;
  }

  get metadata(): string {
    return this.#metadata;
  }

  get properties(): Compound {
    this.#properties ??= this.#open();
    return this.#properties;
  }

  /** `PolyMesh`, `Xform`, …; empty if the object has no AbcGeom schema. */
  get kind(): string {
    return /^AbcGeom_(\w+)_v\d+$/.exec(metadataValue(this.metadata, 'schema'))?.[1] ?? '';
  }

  /** The compound property of its schema: `.geom`, `.xform`, `.faceset`. */
  get schema(): Compound | undefined {
    const [, name] = metadataValue(this.metadata, 'schemaObjTitle').split(':');
    return this.properties.compound(name ?? '');
  }

  /** Takes schema and properties of the source of an instance. */
  become(source: AbcObject): void {
    this.#metadata = source.metadata;
    this.#properties = undefined;
    this.#open = () => source.properties;
  }
}

/** Reads all object headers. @return the top object, which has no name */
export function readObjectTree(file: OgawaFile, top: OgawaGroup, tables: ArchiveTables): AbcObject {
  const make = (name: string, parent: AbcObject | undefined, metadata: string, group: OgawaGroup) => {
    const object: AbcObject = new AbcObject(name, parent, metadata, () => {
      const label = `object '${object.path}'`;
      const own = group.count === 0 ? group : file.group(group, 0, `the properties of ${label}`);
      return new Compound(file, tables, own, label);
    });
    return { object, group };
  };
  const root = make('', undefined, '', top);
  const pending = [root];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { object, group } = next;
    const last = group.count - 1;
    if (last < 1 || !group.isData(last)) continue;
    const headers = readObjectHeaders(
      file,
      file.readStructure(file.data(group, last, `the list of objects in '${object.path}'`)),
      tables,
    );
    headers.forEach(({ name, metadata }, k) => {
      const child = make(name, object, metadata, file.group(group, k + 1, `object '${object.path}/${name}'`));
      object.children.push(child.object);
      pending.push(child);
    });
  }
  placeInstances(file, root.object);
  return root.object;
}

/** Depth-first traversal in archive order, parents before children. */
export function* objectsIn(root: AbcObject): Generator<AbcObject> {
  const pending = [root];
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield next;
    for (let k = next.children.length - 1; k >= 0; k--) pending.push(next.children[k]);
  }
}

function placeInstances(file: OgawaFile, root: AbcObject): void {
  const pending = [...objectsIn(root)].filter(isInstance);
  const sources = new ObjectFinder(root);
  let placed = 0;
  for (let instance = pending.pop(); instance; instance = pending.pop()) {
    const source = sourceOf(file, sources, instance);
    instance.become(source);
    const copies = [{ from: source, to: instance }];
    for (let next = copies.pop(); next; next = copies.pop()) {
      for (const child of next.from.children) {
        if (++placed > MAX_INSTANCED) {
          throw new InputError(
            `${file.label}: instances expand to more than ${MAX_INSTANCED} objects or contain themselves; export without instances`,
          );
        }
        const copy = new AbcObject(child.name, next.to, child.metadata, () => child.properties);
        next.to.children.push(copy);
        if (isInstance(child)) pending.push(copy);
        else copies.push({ from: child, to: copy });
      }
    }
  }
}

/** Finds objects by path, with a lazily built index of children per parent. */
class ObjectFinder {
  readonly #root: AbcObject;
  readonly #children = new Map<AbcObject, Map<string, AbcObject>>();

  constructor(root: AbcObject) {
    this.#root = root;
  }

  find(path: string): AbcObject | undefined {
    let found: AbcObject | undefined = this.#root;
    for (const name of path.split('/')) if (name !== '' && found) found = this.#childrenOf(found).get(name);
    return found === this.#root ? undefined : found;
  }

  #childrenOf(object: AbcObject): Map<string, AbcObject> {
    const known = this.#children.get(object);
    if (known) return known;
    const children = new Map(object.children.map((child) => [child.name, child]));
    this.#children.set(object, children);
    return children;
  }
}

function isInstance({ metadata }: AbcObject): boolean {
  return metadataValue(metadata, 'isInstance') === '1';
}

function sourceOf(file: OgawaFile, sources: ObjectFinder, instance: AbcObject): AbcObject {
  const path = instance.properties.sampled('.instanceSource')?.text(0) ?? '';
  const source = sources.find(path);
  if (source && !isInstance(source)) return source;
  throw new InputError(
    `${file.label}: '${instance.path}' is an instance of '${path}', which does not exist; export without instances`,
  );
}

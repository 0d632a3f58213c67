import {
  type Accessor,
  type Buffer,
  Document,
  type Extension,
  Format,
  type GLTF,
  Logger,
  type Node,
  type Scene,
  type TypedArray,
  VertexLayout,
} from '@gltf-transform/core';
import { MemoryIO } from './decode-accessors.ts';
import type { GltfExtension } from './extension-payload.ts';
import { writeGlbContainer } from './glb-container.ts';
import { identityTrs, type Trs } from './transform.ts';
import { payloadExtension } from './write-extension.ts';

type ExtensionClass = new (document: Document) => Extension;

/** A GLB in the making: glTF-Transform's document, with exact node transforms and payloads at the root. */
export class GlbDocument {
  readonly document = new Document();
  readonly scene: Scene;
  readonly #buffer: Buffer;
  readonly #transforms = new Map<Node, Trs>();
  readonly #extensions = new Set<ExtensionClass>();

  constructor() {
    this.document.setLogger(new Logger(Logger.Verbosity.SILENT));
    this.document.getRoot().getAsset().generator = 'pelt';
    this.#buffer = this.document.createBuffer();
    this.scene = this.document.createScene();
    this.document.getRoot().setDefaultScene(this.scene);
  }

  /** Data of pelt's own at the root. */
  carry(payloads: readonly GltfExtension[]): void {
    for (const payload of payloads) this.use(payloadExtension(payload));
  }

  accessor(type: GLTF.AccessorType, array: TypedArray, { normalized = false, sparse = false } = {}): Accessor {
    return this.document
      .createAccessor()
      .setType(type)
      .setArray(array)
      .setNormalized(normalized)
      .setSparse(sparse)
      .setBuffer(this.#buffer);
  }

  node(name: string, trs?: Trs, extras?: unknown): Node {
    const node = this.document.createNode(name);
    if (trs) this.#transforms.set(node, trs);
    if (extras !== undefined) node.setExtras(extras as Record<string, unknown>);
    return node;
  }

  /** An extension of the format, set up to be written. */
  use<T extends Extension>(extension: new (document: Document) => T): T {
    this.#extensions.add(extension);
    return this.document.createExtension(extension);
  }

  async toBytes(): Promise<Uint8Array<ArrayBuffer>> {
    const io = new MemoryIO()
      .setLogger(new Logger(Logger.Verbosity.SILENT))
      .setVertexLayout(VertexLayout.SEPARATE)
      .registerExtensions([...this.#extensions] as unknown as (typeof Extension)[]);
    const { json, resources } = await io.writeJSON(this.document, { format: Format.GLB });
    this.document
      .getRoot()
      .listNodes()
      .forEach((node, k) => {
        const trs = this.#transforms.get(node);
        if (trs && json.nodes) writeTrs(json.nodes[k], trs);
      });
    const [binary] = Object.values(resources);
    return writeGlbContainer(new TextEncoder().encode(JSON.stringify(json)), binary);
  }
}

/**
 * Node transforms go into the JSON here, for glTF-Transform leaves out what is within 1e-5 of nothing, which is all of
 * a small model. Nine digits give every 32-bit float back.
 */
function writeTrs(node: GLTF.INode, trs: Trs): void {
  const none = identityTrs();
  for (const key of ['translation', 'rotation', 'scale'] as const) {
    const values = Array.from(trs[key], (value) => Number(Math.fround(value).toPrecision(9)));
    if (values.some((value, k) => value !== none[key][k])) node[key] = values;
  }
}

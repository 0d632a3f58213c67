/** A small FBX as text: a strip of two quads on two bones, bent by one of them, with a blend shape that is switched on. */
const TICKS_PER_SECOND = 46_186_158_000;

export interface StripOptions {
  readonly version?: number;
  readonly upAxis?: number;
  readonly unit?: number;
  /** A camera, whose loading wants a window. */
  readonly camera?: boolean;
  /** Name of the mesh; the bones are `root` and `tip`. */
  readonly mesh?: string;
}

/** Vertices at x = 0, 1, 2 and y = ±0.5. */
export const STRIP = [0, -0.5, 0, 0, 0.5, 0, 1, -0.5, 0, 1, 0.5, 0, 2, -0.5, 0, 2, 0.5, 0];

/** A node of the file: `Name: values {`, its lines and nodes, `}`; the loader goes by the number of tabs. */
type FbxNode = readonly [head: string, ...body: (string | FbxNode)[]];

function lines([head, ...body]: FbxNode, depth: number): string[] {
  const tabs = '\t'.repeat(depth);
  const inner = body.flatMap((part) => (typeof part === 'string' ? [`${tabs}\t${part}`] : lines(part, depth + 1)));
  return [`${tabs}${head} {`, ...inner, `${tabs}}`];
}

const array = (name: string, values: readonly number[]): FbxNode => [
  `${name}: *${values.length}`,
  `a: ${values.join(',')}`,
];
const object = (type: string, id: number, name: string, kind: string, ...body: FbxNode[1][]): FbxNode => [
  `${type}: ${id}, "${name}", "${kind}"`,
  ...body,
];
const properties = (...entries: string[]): FbxNode => ['Properties70: ', ...entries.map((entry) => `P: ${entry}`)];

const bone = (id: number, name: string, x: number) =>
  object(
    'Model',
    id,
    `Model::${name}`,
    'LimbNode',
    properties(`"Lcl Translation", "Lcl Translation", "", "A",${x},0,0`),
  );

function cluster(id: number, name: string, vertices: readonly number[], x: number): FbxNode {
  const moved = (by: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, by, 0, 0, 1];
  return object(
    'Deformer',
    id,
    `SubDeformer::${name}`,
    'Cluster',
    array('Indexes', vertices),
    array(
      'Weights',
      vertices.map(() => 1),
    ),
    array('Transform', moved(-x)),
    array('TransformLink', moved(x)),
  );
}

const curve = (id: number, values: readonly number[]) =>
  object(
    'AnimationCurve',
    id,
    'AnimCurve::',
    '',
    array(
      'KeyTime',
      values.map((_, k) => k * TICKS_PER_SECOND),
    ),
    array('KeyValueFloat', values),
    array('KeyAttrFlags', [24836]),
    array('KeyAttrDataFloat', [0, 0, 0, 0]),
    array('KeyAttrRefCount', [values.length]),
  );

export function asciiFbx(options: StripOptions = {}): Uint8Array {
  const { version = 7400, upAxis = 1, unit = 100, camera = false, mesh = 'strip' } = options;
  const objects = [
    object(
      'Geometry',
      10,
      'Geometry::strip',
      'Mesh',
      array('Vertices', STRIP),
      array('PolygonVertexIndex', [0, 2, 3, -2, 2, 4, 5, -4]),
    ),
    object(
      'Geometry',
      11,
      'Geometry::lift',
      'Shape',
      array('Indexes', [0, 1]),
      array('Vertices', [0, 0, 1, 0, 0, 1]),
      array('Normals', [0, 0, 0, 0, 0, 0]),
    ),
    object('Model', 20, `Model::${mesh}`, 'Mesh', 'Version: 232'),
    bone(21, 'root', 0),
    bone(22, 'tip', 1),
    object('Deformer', 30, 'Deformer::skin', 'Skin', 'Version: 101'),
    cluster(31, 'root', [0, 1, 2, 3], 0),
    cluster(32, 'tip', [4, 5], 1),
    object('Deformer', 33, 'Deformer::shapes', 'BlendShape', 'Version: 100'),
    object('Deformer', 34, 'SubDeformer::lift', 'BlendShapeChannel', 'DeformPercent: 0', array('FullWeights', [100])),
    object(
      'AnimationStack',
      50,
      'AnimStack::bend',
      '',
      properties(`"LocalStop", "KTime", "Time", "",${TICKS_PER_SECOND}`),
    ),
    object('AnimationLayer', 51, 'AnimLayer::base', '', 'Version: 100'),
    object('AnimationCurveNode', 52, 'AnimCurveNode::R', '', properties('"d|Z", "Number", "", "A",0')),
    object(
      'AnimationCurveNode',
      53,
      'AnimCurveNode::DeformPercent',
      '',
      properties('"d|DeformPercent", "Number", "", "A",0'),
    ),
    curve(54, [0, 90]),
    curve(55, [0, 100]),
    ...(camera
      ? [
          object('NodeAttribute', 40, 'NodeAttribute::camera', 'Camera', 'TypeFlags: "Camera"'),
          object('Model', 41, 'Model::camera', 'Camera', 'Version: 232'),
        ]
      : []),
  ];
  const links = [
    '20,0',
    '21,0',
    '22,21',
    '10,20',
    '30,10',
    '31,30',
    '32,30',
    '21,31',
    '22,32',
    '33,10',
    '34,33',
    '11,34',
  ];
  links.push('51,50', '52,51', '53,51', ...(camera ? ['41,0', '40,41'] : []));
  const connections = [
    ...links.map((link) => `C: "OO",${link}`),
    ...['52,22, "Lcl Rotation"', '54,52, "d|Z"', '53,34, "DeformPercent"', '55,53, "d|DeformPercent"'].map(
      (link) => `C: "OP",${link}`,
    ),
  ];
  const settings = properties(
    `"UpAxis", "int", "Integer", "",${upAxis}`,
    `"UnitScaleFactor", "double", "Number", "",${unit}`,
  );
  const tree: FbxNode[] = [
    ['FBXHeaderExtension: ', 'FBXHeaderVersion: 1003', `FBXVersion: ${version}`],
    ['GlobalSettings: ', 'Version: 1000', settings],
    ['Objects: ', ...objects],
    ['Connections: ', ...connections],
  ];
  const text = [`; FBX ${version / 1000} project file`, ...tree.flatMap((node) => lines(node, 0)), ''];
  return new TextEncoder().encode(text.join('\n'));
}

/** A skeleton that is placed joint by joint, on both sides of the body at once; and vertices on either side of it. */

export type Point = readonly [number, number, number];

export interface PlacedJoint {
  readonly name: string;
  /** Index of the joint above, always smaller; −1 for the first. */
  readonly parent: number;
  readonly at: Point;
  /** Index of the joint on the other side of the body; −1 in the middle. */
  readonly twin: number;
}

/** The plane that divides the body: of x, or where it faces the other way, of z. */
export interface MirrorPlane {
  readonly axis: 0 | 2;
  readonly at: number;
}

/** Distance from the plane within which a joint is in the middle, in parts of the thickness of the limb there. */
const MIDDLE = 0.25;
/** Vertices by which the two planes are compared. */
const SAMPLES = 300;

/** The plane about which the body is more alike. @param positions  n × 3 */
export function mirrorPlane(positions: ArrayLike<number>): MirrorPlane {
  const planes = ([0, 2] as const).map((axis) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let k = axis; k < positions.length; k += 3) {
      low = Math.min(low, positions[k]);
      high = Math.max(high, positions[k]);
    }
    return { axis, at: (low + high) / 2 };
  });
  const [across, along] = planes.map((plane) => asymmetry(positions, plane));
  return along < across ? planes[1] : planes[0];
}

/** Mean distance of mirrored vertices from the nearest vertex. */
function asymmetry(positions: ArrayLike<number>, plane: MirrorPlane): number {
  const n = positions.length / 3;
  const step = Math.max(1, Math.floor(n / SAMPLES));
  let [sum, count] = [0, 0];
  for (let i = 0; i < n; i += step) {
    const [x, y, z] = mirrorPoint([positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]], plane);
    let nearest = Number.POSITIVE_INFINITY;
    for (let k = 0; k < positions.length; k += 3) {
      const apart = (positions[k] - x) ** 2 + (positions[k + 1] - y) ** 2 + (positions[k + 2] - z) ** 2;
      if (apart < nearest) nearest = apart;
    }
    sum += Math.sqrt(nearest);
    count++;
  }
  return sum / Math.max(1, count);
}

export function mirrorPoint([x, y, z]: Point, { axis, at }: MirrorPlane): Point {
  return axis === 0 ? [2 * at - x, y, z] : [x, y, 2 * at - z];
}

/** Half-way through the body. */
export function middleOf([enters, leaves]: readonly [Point, Point]): Point {
  return enters.map((value, k) => (value + leaves[k]) / 2) as unknown as Point;
}

export function ontoPlane(at: Point, plane: MirrorPlane): Point {
  return at.map((value, k) => (k === plane.axis ? plane.at : value)) as unknown as Point;
}

/** Facing +Z, left is at +x; facing +X, at −z. */
export function isLeft(at: Point, { axis, at: middle }: MirrorPlane): boolean {
  return at[axis] > middle === (axis === 0);
}

/**
 * A joint below another, in the middle of the body there, and its twin on the other side. It has none where the body
 * reaches across the plane, or nearly: there it is put on the plane.
 *
 * @param parent   −1 where it is the first
 * @param through  where a line through the joint enters the body, and where it leaves it
 * @param plane    undefined places one side alone
 * @param snap     brings a place into the body: the mirror image of a body that is posed may be in the air
 */
export function addJoint(
  joints: readonly PlacedJoint[],
  parent: number,
  through: readonly [Point, Point],
  plane: MirrorPlane | undefined,
  snap: (at: Point) => Point = (at) => at,
): readonly PlacedJoint[] {
  const number = new Set(joints.map(({ name }) => name.replace(/ (?:left|right)$/, ''))).size;
  const name = joints.length === 0 ? 'root' : `joint ${number}`;
  const own = joints.length;
  const at = snap(middleOf(through));
  if (!plane) return [...joints, { name, parent, at, twin: -1 }];
  const { axis } = plane;
  const [enters, leaves] = through;
  const thickness = Math.hypot(...enters.map((value, k) => value - leaves[k]));
  const crosses = (enters[axis] - plane.at) * (leaves[axis] - plane.at) < 0;
  if (own === 0 || crosses || Math.abs(at[axis] - plane.at) <= MIDDLE * thickness) {
    return [...joints, { name, parent, at: snap(ontoPlane(at, plane)), twin: -1 }];
  }
  const side = isLeft(at, plane) ? ['left', 'right'] : ['right', 'left'];
  const opposite = parent >= 0 && joints[parent].twin >= 0 ? joints[parent].twin : parent;
  return [
    ...joints,
    { name: `${name} ${side[0]}`, parent, at, twin: own + 1 },
    { name: `${name} ${side[1]}`, parent: opposite, at: snap(mirrorPoint(at, plane)), twin: own },
  ];
}

/** Without a joint, its twin, and what is below them. */
export function removeJoint(joints: readonly PlacedJoint[], joint: number): readonly PlacedJoint[] {
  const gone = new Set([joint, joints[joint]?.twin ?? -1]);
  joints.forEach(({ parent }, j) => {
    if (gone.has(parent) && parent >= 0) gone.add(j);
  });
  const left = joints.map((_, j) => j).filter((j) => !gone.has(j));
  const renumbered = new Map(left.map((j, k) => [j, k]));
  return left.map((j) => ({
    ...joints[j],
    parent: renumbered.get(joints[j].parent) ?? -1,
    twin: renumbered.get(joints[j].twin) ?? -1,
  }));
}

/**
 * The vertices within a brush, and those opposite to them.
 *
 * @param positions  n × 3
 * @param centres    of the brush, one or with its mirror image two
 */
export function brushed(positions: ArrayLike<number>, centres: readonly Point[], radius: number): number[] {
  const found: number[] = [];
  for (let i = 0; 3 * i < positions.length; i++) {
    const [x, y, z] = [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
    const isIn = ([a, b, c]: Point) => (x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2 <= radius * radius;
    if (centres.some(isIn)) found.push(i);
  }
  return found;
}

/** Painted vertices with others added or taken away; sorted, each once. */
export function painted(before: readonly number[], brush: readonly number[], erase: boolean): readonly number[] {
  const now = new Set(before);
  for (const i of brush) {
    if (erase) now.delete(i);
    else now.add(i);
  }
  return [...now].sort((a, b) => a - b);
}

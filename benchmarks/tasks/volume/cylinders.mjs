/**
 * The paper's cylinders, bent by 90° and twisted by 360°: twelve radii long, five bones, a ring of vertices at the middle
 * of each bone that follows it. Volume and cross-sections beside linear blending and dual quaternions with the same
 * automatic weights; times at the published sizes; frames a second of a motion.
 */
import { openNumerics } from '@pelt/math';
import { bindVolume, createVolumeDeformer, tetrahedralize } from '@pelt/skin';
import { cylinder } from '@pelt/testkit';
import { BUDD_HILTON } from '../../published/volumetric.mjs';
import { astray, judge, looks, otherSkinning, rivalLooks, smoothnessRows } from './side-by-side.mjs';

/** Sides with which a cylinder has about the published number of vertices, in the order of the table. */
const SIDES = [9, 17, 26, 34, 42, 76, 104];
/** Where the three kinds of skinning are laid side by side: about 2.6 thousand vertices. */
const SIDE_BY_SIDE = 34;
/** Growth is measured from here on: below, what a round costs whatever the size counts for much. */
const LARGE = 1000;
/** Published times divided by at least so much, by surface vertices: with the volume term and without it. */
const FASTER = { 13002: { kept: 10, free: 20 }, 25467: { kept: 14, free: 35 } };
const MOST_GROWTH = 1.25;
/** Frames a second of a smooth motion, by sides: about 2.6, 5 and 13 thousand vertices. */
const WARM = { 34: 30, 47: 12, 76: 4 };
/** Frames of that motion, from rest to the full bend or twist: two seconds. */
const FRAMES = 60;
/** Of what all rounds lead to. */
const CONVERGED = { tolerance: 1e-8, mostRounds: 5000 };
/** A motion that ends where nothing is lost, and its bounds in %: volume and smallest cross-section. */
const MOTIONS = [
  { name: 'bend 90°', degrees: 90, pose: 'bent', volume: 99, section: 93 },
  { name: 'twist 360°', degrees: 360, pose: 'twisted', volume: 99, section: 93 },
];
/** One more that is judged by its looks alone. */
const SHARP = { name: 'bend 120°', degrees: 120, pose: 'bent', volume: 99, section: 93 };

export async function measure(context) {
  const numerics = await openNumerics({ threads: 2 });
  try {
    const rows = [];
    const times = [];
    for (const sides of new Set([...SIDES, ...Object.keys(WARM).map(Number)])) {
      const scene = cylinder({ sides });
      const all = sides === SIDE_BY_SIDE ? [...MOTIONS, SHARP] : MOTIONS;
      const motions = all.filter((motion) => context.wants(caseOf(scene, motion)));
      if (motions.length === 0) continue;
      const subject = prepare(scene, numerics);
      context.log(
        `cylinder of ${scene.mesh.positions.length / 3} vertices, ${subject.body.tetrahedra.length / 4} tetrahedra`,
      );
      if (sides === SIDE_BY_SIDE) {
        for (const motion of motions) {
          rows.push(...otherSkinning(subject, caseOf(subject, motion), poseOf(subject, motion)));
          rows.push(...smoothness(subject, motion, numerics), ...published(context, subject, motion, numerics));
        }
      }
      const reference = BUDD_HILTON[SIDES.indexOf(sides)];
      for (const motion of motions) {
        if (motion === SHARP) continue;
        if (reference) rows.push(...fromBones(context, subject, motion, reference, numerics, times));
        if (WARM[sides]) rows.push(warm(subject, motion, WARM[sides], numerics));
      }
    }
    return [...rows, ...MOTIONS.flatMap((motion) => (context.wants(motion.name) ? growth(times, motion) : []))];
  } finally {
    numerics.close();
  }
}

function prepare(subject, numerics) {
  const { mesh: body } = tetrahedralize(subject.mesh);
  const data = { body, bones: subject.bones };
  const binding = bindVolume(data, { tips: new Map([[subject.bones.length - 1, subject.tip]]) }, { numerics });
  // What automatic weights are where no ring is held.
  const listed = Uint32Array.from(subject.middles.flat());
  const { skin } = bindVolume(data, { constraints: listed }, { numerics });
  return { ...subject, body, binding, skin };
}

const deformerOf = ({ mesh, bones, binding }, options, numerics) =>
  createVolumeDeformer({ surface: mesh, bones, binding }, options, { numerics });
const poseOf = (subject, { pose, degrees }) => subject[pose](degrees);
const caseOf = ({ mesh }, { name }) => `${name}, ${mesh.positions.length / 3} vertices`;

/** How a pose looks beside dual quaternions; what is lost of a sharp bend. */
function smoothness(subject, motion, numerics) {
  const pose = poseOf(subject, motion);
  const deformer = deformerOf(subject, {}, numerics);
  deformer.deform(pose, new Float32Array(subject.mesh.positions.length));
  const found = Float64Array.from(deformer.bodyPositions);
  deformer.dispose();
  const own = { ...looks(subject, found), astray: astray(subject, pose, found) };
  const rows = smoothnessRows(caseOf(subject, motion), own, rivalLooks(subject, pose));
  return motion === SHARP ? [...rows, ...kept(caseOf(subject, motion), motion, judge(subject, found))] : rows;
}

function kept(name, motion, { volume, inverted, section }) {
  return [
    { case: name, metric: 'volume', value: volume, unit: '% of rest', target: `value >= ${motion.volume}` },
    { case: name, metric: 'inverted tetrahedra', value: inverted, unit: '', target: 'value <= 0' },
    {
      case: name,
      metric: 'smallest cross-section',
      value: section,
      unit: '% of rest',
      target: `value >= ${motion.section}`,
    },
  ];
}

/** The published iteration as it is: from unrotated tetrahedra, not accelerated, without a volume term. */
function published(context, subject, motion, numerics) {
  const pose = poseOf(subject, motion);
  const out = new Float32Array(subject.mesh.positions.length);
  const deformer = deformerOf(subject, { method: 'budd-hilton' }, numerics);
  const time = context.medianTime(() => deformer.deform(pose, out), { runs: 3 });
  const { rounds } = deformer.deform(pose, out);
  const found = Float64Array.from(deformer.bodyPositions);
  deformer.dispose();
  const { volume, inverted, section } = judge(subject, found);
  const { mean, p99, crossings } = looks(subject, found);
  const row = (metric, value, unit) => ({
    case: caseOf(subject, motion),
    metric: `${metric}, Budd and Hilton`,
    value,
    unit,
  });
  return [
    row('time', time / 1000, 's'),
    row('rounds', rounds, ''),
    row('volume', volume, '% of rest'),
    row('inverted tetrahedra', inverted, ''),
    row('smallest cross-section', section, '% of rest'),
    row('roughness', mean, '°'),
    row('roughness, p99', p99, '°'),
    row('crossing triangle pairs', crossings, ''),
  ];
}

/** A pose seen for the first time, with and without the volume term. */
function fromBones(context, subject, motion, reference, numerics, times) {
  const pose = poseOf(subject, motion);
  const out = new Float32Array(subject.mesh.positions.length);
  const row = { case: caseOf(subject, motion) };
  return ['kept', 'free'].flatMap((term) => {
    const options = term === 'kept' ? {} : { volumeWeight: 0 };
    const note = term === 'kept' ? '' : ', no volume term';
    const deformer = deformerOf(subject, options, numerics);
    const value = context.medianTime(() => deformer.deform(pose, out), {
      runs: 3,
      warmUps: 1,
      prepare: () => deformer.reset(),
    });
    times.push({
      motion,
      term,
      vertices: subject.body.positions.length / 3,
      surface: subject.mesh.positions.length / 3,
      value,
    });
    deformer.reset();
    const { rounds } = deformer.deform(pose, out);
    const found = Float64Array.from(deformer.bodyPositions);
    deformer.dispose();
    const faster = FASTER[reference.vertices]?.[term];
    const { volume, inverted, section } = judge(subject, found);
    const judged = term === 'kept' && kept(row.case, motion, { volume, inverted, section });
    return [
      ...(judged || []),
      {
        ...row,
        metric: `time${note}`,
        value: value / 1000,
        unit: 's',
        reference: reference.seconds,
        referenceName: `Budd 2009, ${reference.vertices} vertices`,
        ...(faster && { target: `ratio <= ${1 / faster}` }),
      },
      { ...row, metric: `rounds${note}`, value: rounds, unit: '' },
      {
        ...row,
        metric: `true error at the stop${note}`,
        value: apart(found, converged(subject, pose, options, numerics)),
        unit: 'spreads',
      },
    ];
  });
}

function converged(subject, pose, options, numerics) {
  const exact = { ...options, ...CONVERGED };
  const deformer = deformerOf(subject, exact, numerics);
  deformer.deform(pose, new Float32Array(subject.mesh.positions.length));
  const positions = Float64Array.from(deformer.bodyPositions);
  deformer.dispose();
  return positions;
}

/** The distance between two shapes in the unit of the tolerance: root mean square distances from the centre. */
function apart(a, b) {
  const mean = [0, 0, 0];
  b.forEach((value, k) => {
    mean[k % 3] += (3 * value) / b.length;
  });
  let [squared, spread] = [0, 0];
  for (let k = 0; k < b.length; k++) {
    squared += (a[k] - b[k]) ** 2;
    spread += (b[k] - mean[k % 3]) ** 2;
  }
  return Math.sqrt(squared / spread);
}

/** Frames a second while the pose grows smoothly, each frame from the last. */
function warm(subject, motion, least, numerics) {
  const deformer = deformerOf(subject, {}, numerics);
  const out = new Float32Array(subject.mesh.positions.length);
  const times = [];
  for (let t = 0; t <= FRAMES; t++) {
    const pose = subject[motion.pose]((motion.degrees * t) / FRAMES);
    const start = performance.now();
    deformer.deform(pose, out);
    if (t > 0) times.push(performance.now() - start);
  }
  deformer.dispose();
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return {
    case: caseOf(subject, motion),
    metric: 'frames of a smooth motion',
    value: 1000 / mean,
    unit: 'a second',
    target: `value >= ${least}`,
  };
}

/** The exponent with which time grows with all vertices, inner ones included: the slope of the logarithms. */
function growth(times, motion) {
  return ['kept', 'free'].flatMap((term) => {
    const points = times
      .filter((time) => time.motion === motion && time.term === term && time.surface > LARGE)
      .map(({ vertices, value }) => [Math.log(vertices), Math.log(value)]);
    if (points.length < 2) return [];
    const [x, y] = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
    const across = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
    const along = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
    return {
      case: motion.name,
      metric: term === 'kept' ? 'growth exponent' : 'growth exponent, no volume term',
      value: across / along,
      unit: '',
      target: `value <= ${MOST_GROWTH}`,
    };
  });
}

/**
 * Posing by handles on a reduced model: how well examples are reproduced, what an iteration costs beside full MeshIK on
 * the same examples, how near poses come to frames that were no examples, and how it stands being pulled too far.
 */
import { readFileSync } from 'node:fs';
import { readObj, readPc2, sequenceFromCache } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { frameAt, frameCount, SequenceErrorMeter } from '@pelt/model';
import { begin, beginMeshIk, buildPoser, decompose } from '@pelt/skin';
import { extremities } from '@pelt/testkit';
import { median } from '../harness/measure.mjs';

const PUBLISHED = 'Der 2006';
const PROXIES = 500;
const POSES = { horse: 10, cat: 9, lion: 9 };

export default {
  name: 'ik',
  needs: [
    ...Object.entries(POSES).flatMap(([name, count]) => [
      `${name}-poses/rest.obj`,
      ...Array.from({ length: count }, (_, k) => poseFile(name, k)),
    ]),
    ...['horse-gallop', 'elephant-gallop', 'samba'].flatMap((name) => [`${name}/rest.obj`, `${name}/clip.pc2`]),
  ],
  async run(context) {
    const numerics = await openNumerics({ threads: 2 });
    try {
      const horse = posesOf(context, 'horse');
      const gallop = clipOf(context, 'horse-gallop');
      const elephant = clipOf(context, 'elephant-gallop');
      const samba = clipOf(context, 'samba');
      const horseExamples = join(
        horse,
        [10, 30].map((t) => frameAt(gallop, t)),
      );
      const elephantExamples = pick(elephant, evenly(frameCount(elephant), 11));
      const rows = [];
      const learnt = {};
      for (const [name, examples, controls, limits, published] of [
        ['horse', horseExamples, 33, [0.5, 2], 3.0],
        ['elephant', elephantExamples, 23, [0.6, 3.5], 5.46],
        ['cat', posesOf(context, 'cat'), 33, []],
        ['lion', posesOf(context, 'lion'), 33, []],
      ]) {
        context.log(`${name}: learning`);
        learnt[name] = { ...learn(examples, controls, numerics), examples };
        rows.push(...distortions(name, learnt[name], limits, published, numerics));
      }
      learnt.horse.truth = frameAt(gallop, 20);
      learnt.elephant.truth = frameAt(elephant, 20);
      for (const [name, least] of [
        ['horse', 40],
        ['elephant', 150],
      ]) {
        context.log(`${name}: timing`);
        rows.push(...costs(name, learnt[name], least, numerics));
      }
      context.log('horse, elephant: timing in turn');
      rows.push(sameCost(learnt.horse, learnt.elephant, numerics));
      context.log('horse, elephant: proxies against all vertices');
      rows.push(proxiesAgainstAll('horse', learnt.horse, gallop, numerics));
      rows.push(proxiesAgainstAll('elephant', learnt.elephant, elephant, numerics));
      for (const [name, examples, clip, controls] of [
        ['horse', horse, gallop, 33],
        ['samba', pick(samba, evenly(frameCount(samba), 20)), samba, 60],
      ]) {
        context.log(`${name}: held-out frames`);
        rows.push(...heldOut(name, learn(examples, controls, numerics), examples, clip, numerics));
      }
      for (const name of ['horse', 'cat', 'lion', 'elephant']) rows.push(...farPull(name, learnt[name], numerics));
      return rows;
    } finally {
      numerics.close();
    }
  },
};

function poseFile(name, k) {
  return `${name}-poses/pose-${String(k + 1).padStart(2, '0')}.obj`;
}

function posesOf(context, name) {
  const read = (file) => readObj(readFileSync(context.data(file)), { name: file });
  const rest = read(`${name}-poses/rest.obj`);
  return join(
    { name, rest, frames: new Float32Array(0), times: new Float64Array(0) },
    Array.from({ length: POSES[name] }, (_, k) => read(poseFile(name, k)).positions),
  );
}

function clipOf(context, name) {
  const rest = readObj(readFileSync(context.data(`${name}/rest.obj`)), { name });
  return sequenceFromCache(rest, readPc2(readFileSync(context.data(`${name}/clip.pc2`)), { name, fps: 24 }));
}

/** A sequence with more frames behind its own. */
function join(sequence, more) {
  const size = sequence.rest.positions.length;
  const S = sequence.times.length;
  const frames = new Float32Array(size * (S + more.length));
  frames.set(sequence.frames);
  more.forEach((positions, k) => {
    frames.set(positions, size * (S + k));
  });
  return { ...sequence, frames, times: Float64Array.from({ length: S + more.length }, (_, t) => t) };
}

function pick(sequence, numbers) {
  const none = { ...sequence, frames: new Float32Array(0), times: new Float64Array(0) };
  return join(
    none,
    numbers.map((t) => frameAt(sequence, t)),
  );
}

function evenly(S, count) {
  return Array.from({ length: count }, (_, k) => Math.round((k * (S - 1)) / (count - 1)));
}

function learn(examples, controls, numerics) {
  const options = { method: 'affine', bones: controls, weights: 4, restStiffness: Number.POSITIVE_INFINITY };
  const { rig, clip } = decompose(examples, options, { numerics });
  return { rig, clip, poser: buildPoser(rig, clip, { proxies: PROXIES }, examples) };
}

/** Each example by its blend alone, where the whole stands left free. */
function distortions(name, { rig, clip, poser, examples }, [own, measured], published, numerics) {
  const plain = { proxies: PROXIES, details: false };
  return [
    ['distortion, gradients of the model', buildPoser(rig, clip, plain), own],
    [
      'distortion, gradients of the meshes',
      buildPoser(rig, clip, { ...plain, gradients: 'meshes' }, examples),
      measured,
    ],
    ['distortion, with details', poser],
  ].map(([metric, model, limit]) => {
    const session = begin(model, numerics);
    const meter = new SequenceErrorMeter(examples.rest, frameCount(examples));
    const posed = new Float32Array(examples.rest.positions.length);
    for (let e = 0; e < frameCount(examples); e++) {
      session.setBlend(Float64Array.from({ length: frameCount(examples) }, (_, k) => (k === e ? 1 : 0)));
      session.positions(posed);
      const truth = frameAt(examples, e);
      const shift = [0, 0, 0];
      for (let k = 0; k < posed.length; k++) shift[k % 3] += (3 * (truth[k] - posed[k])) / posed.length;
      for (let k = 0; k < posed.length; k++) posed[k] += shift[k % 3];
      meter.addFrame(truth, posed);
    }
    session.dispose();
    const row = { case: name, metric, value: meter.result().distortionPercent, unit: '%' };
    return {
      ...row,
      ...(published && { reference: published, referenceName: PUBLISHED }),
      ...(limit && { target: `value <= ${limit}` }),
    };
  });
}

/** One iteration from the rest pose beside one of full MeshIK, in turn; a handle more; a frame with its skin. */
function costs(name, { rig, poser, examples, truth }, least, numerics) {
  const handles = handlesOn(truth, extremities(rig.mesh.positions, 5));
  const rest = new Float64Array(frameCount(examples));
  const reduced = begin(poser, numerics);
  const full = beginMeshIk(examples, numerics);
  const posed = new Float32Array(rig.mesh.positions.length);
  const times = { reduced: [], full: [], handle: [], frame: [] };
  const time = (kind, work) => {
    const start = performance.now();
    work();
    times[kind].push(performance.now() - start);
  };
  const start = (session) => {
    session.setHandles(handles);
    session.setBlend(rest);
  };
  // Whoever comes first must not pay for the compiler.
  for (let turn = 0; turn < 30; turn++) {
    start(reduced);
    reduced.iterate();
    reduced.positions(posed);
  }
  for (let turn = 0; turn < 60; turn++) {
    start(reduced);
    time('reduced', () => reduced.iterate());
    if (turn % 12 === 0) {
      start(full);
      time('full', () => full.iterate());
    }
    time('handle', () => reduced.setHandles(handles.slice(0, 4)));
    start(reduced);
    time('frame', () => {
      reduced.iterate();
      reduced.positions(posed);
    });
  }
  start(reduced);
  let iterations = 0;
  for (let last = Number.POSITIVE_INFINITY; !reduced.state.atRest && reduced.state.cost < 0.999 * last; iterations++) {
    last = reduced.state.cost;
    reduced.iterate();
  }
  reduced.dispose();
  full.dispose();
  const ms = Object.fromEntries(Object.entries(times).map(([kind, all]) => [kind, median(all)]));
  return [
    { case: name, metric: 'iterations to 0.1 %', value: iterations, unit: '', target: 'value <= 8' },
    { case: name, metric: 'one iteration', value: ms.reduced, unit: 'ms', target: 'value <= 2' },
    {
      case: name,
      metric: 'full MeshIK, one iteration',
      value: ms.full,
      unit: 'ms',
      reference: ms.reduced,
      referenceName: 'reduced',
      target: `ratio >= ${least}`,
    },
    { case: name, metric: 'handles changed', value: ms.handle, unit: 'ms', target: 'value <= 10' },
    { case: name, metric: 'whole frame with its skin', value: ms.frame, unit: 'ms', target: 'value <= 8' },
  ];
}

/** One iteration of each, in turn: both in the same weather. */
function sameCost(a, b, numerics) {
  const both = [a, b].map(({ rig, poser, examples, truth }) => {
    const session = begin(poser, numerics);
    session.setHandles(handlesOn(truth, extremities(rig.mesh.positions, 5)));
    return { session, rest: new Float64Array(frameCount(examples)), times: [] };
  });
  for (let turn = 0; turn < 200; turn++) {
    for (const { session, rest, times } of both) {
      session.setBlend(rest);
      const start = performance.now();
      session.iterate();
      times.push(performance.now() - start);
    }
  }
  const [x, y] = both.map(({ session, times }) => {
    session.dispose();
    return median(times);
  });
  const value = Math.max(x, y) / Math.min(x, y);
  return { case: 'horse, elephant', metric: 'ratio of one iteration', value, unit: '', target: 'value <= 1.5' };
}

/** How far poses are from those found with a gradient at every vertex, against how far they moved, over some frames. */
function proxiesAgainstAll(name, { rig, clip, poser, examples }, frames, numerics) {
  const all = buildPoser(rig, clip, { proxies: Number.POSITIVE_INFINITY }, examples);
  const tips = extremities(rig.mesh.positions, 5);
  const both = [poser, all].map((model) => begin(model, numerics));
  const posed = both.map(() => new Float32Array(rig.mesh.positions.length));
  let [apart, moved] = [0, 0];
  for (let t = 0; t < frameCount(frames); t += 4) {
    both.forEach((posing, k) => {
      posing.setHandles(handlesOn(frameAt(frames, t), tips));
      posing.step();
      posing.positions(posed[k]);
    });
    apart += distance(posed[0], posed[1]) ** 2;
    moved += distance(posed[1], rig.mesh.positions) ** 2;
  }
  for (const posing of both) posing.dispose();
  return {
    case: name,
    metric: 'proxies against all vertices',
    value: 100 * Math.sqrt(apart / moved),
    unit: '%',
    target: 'value <= 3',
  };
}

function heldOut(name, { rig, poser }, examples, clip, numerics) {
  const tips = extremities(rig.mesh.positions, 5);
  const session = begin(poser, numerics);
  const posed = new Float32Array(rig.mesh.positions.length);
  const known = [
    examples.rest.positions,
    ...Array.from({ length: frameCount(examples) }, (_, e) => frameAt(examples, e)),
  ];
  let [won, played, apart, nearestApart] = [0, 0, 0, 0];
  for (let t = 0; t < frameCount(clip); t++) {
    const truth = frameAt(clip, t);
    if (known.some((frame) => distance(frame, truth) < 1e-5)) continue;
    const at = (frame) => tips.flatMap((v) => Array.from(frame.subarray(3 * v, 3 * v + 3)));
    const nearest = known.reduce((a, b) => (distance(at(b), at(truth)) < distance(at(a), at(truth)) ? b : a));
    session.setHandles(handlesOn(truth, tips));
    session.step();
    const found = distance(session.positions(posed), truth);
    played++;
    apart += found;
    nearestApart += distance(nearest, truth);
    if (found < distance(nearest, truth)) won++;
  }
  session.dispose();
  return [
    {
      case: name,
      metric: 'held-out frames nearer than the nearest example',
      value: (100 * won) / played,
      unit: '%',
      target: 'value >= 85',
    },
    {
      case: name,
      metric: 'mean distance',
      value: apart / played,
      unit: '',
      reference: nearestApart / played,
      referenceName: 'nearest example',
    },
  ];
}

/**
 * One of five handles pulled away by half the size along each axis: growth of edges against the rest pose, and against
 * the longest that each edge is in the rest pose and the examples (which stretch some edges by more than ten themselves).
 */
function farPull(name, { rig, poser, examples }, numerics) {
  const rest = rig.mesh.positions;
  const { triangles } = rig.mesh;
  const tips = extremities(rest, 5);
  const session = begin(poser, numerics);
  const posed = new Float32Array(rest.length);
  const length = (x, k) => {
    const [a, b] = [3 * triangles[k], 3 * triangles[k % 3 === 2 ? k - 2 : k + 1]];
    return Math.hypot(x[a] - x[b], x[a + 1] - x[b + 1], x[a + 2] - x[b + 2]);
  };
  const longest = Float64Array.from({ length: triangles.length }, (_, k) => length(rest, k));
  let taught = 1;
  for (let e = 0; e < frameCount(examples); e++) {
    for (let k = 0; k < triangles.length; k++) longest[k] = Math.max(longest[k], length(frameAt(examples, e), k));
  }
  for (let k = 0; k < triangles.length; k++) taught = Math.max(taught, longest[k] / length(rest, k));
  let [stretch, beyond, moved] = [0, 0, 0];
  for (let pulled = 0; pulled < tips.length; pulled++) {
    for (let axis = 0; axis < 6; axis++) {
      const handles = handlesOn(rest, tips);
      handles[pulled].target[axis % 3] += (axis < 3 ? 0.5 : -0.5) * poser.size;
      session.setHandles([]);
      session.setBlend(new Float64Array(frameCount(examples)));
      session.setHandles(handles);
      session.step();
      session.positions(posed);
      for (let k = 0; k < triangles.length; k++) {
        const now = length(posed, k);
        stretch = Math.max(stretch, now / length(rest, k));
        beyond = Math.max(beyond, now / longest[k]);
      }
      const before = posed.slice();
      session.step();
      moved = Math.max(moved, distance(session.positions(posed), before) / poser.size);
    }
  }
  session.dispose();
  return [
    {
      case: name,
      metric: 'pulled far: an edge against the rest pose',
      value: stretch,
      unit: '×',
      reference: taught,
      referenceName: 'in the examples themselves',
      target: 'value <= 4',
    },
    {
      case: name,
      metric: 'pulled far: an edge against its longest example',
      value: beyond,
      unit: '×',
      target: 'value <= 4',
    },
    { case: name, metric: 'pulled far: movement at rest', value: moved, unit: 'sizes', target: 'value <= 1e-6' },
  ];
}

function handlesOn(positions, vertices) {
  return vertices.map((vertex) => ({ vertex, target: Array.from(positions.subarray(3 * vertex, 3 * vertex + 3)) }));
}

function distance(a, b) {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k] - b[k]) ** 2;
  return Math.sqrt((3 * sum) / a.length);
}

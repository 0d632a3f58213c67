/** How near poses come: to the examples, to poses found with all vertices, and to frames that were no examples. */
import { properRotation } from '@pelt/math';
import { frameAt, frameCount, SequenceErrorMeter } from '@pelt/model';
import { buildPoser, createPoseSession, MOVING_EASE } from '@pelt/skin';
import { extremities } from '@pelt/testkit';
import { distance, handlesOn, PROXIES, SUBJECTS } from './subjects.mjs';

const PUBLISHED = 'Der 2006';

/** Each example by its blend alone, where the whole stands left free. */
export function distortions(name, { rig, motion, poser, examples }, numerics) {
  const { most, published } = SUBJECTS[name];
  const [own, measured] = most;
  const plain = { proxies: PROXIES, details: false };
  return [
    ['distortion, gradients of the model', buildPoser({ rig, clip: motion }, plain), own],
    [
      'distortion, gradients of the meshes',
      buildPoser({ rig, clip: motion, examples }, { ...plain, gradients: 'meshes' }),
      measured,
    ],
    // With gradients of the model's own controls every choice of rows reproduces them.
    [
      'distortion, gradients of the meshes, centroid proxies as published',
      buildPoser({ rig, clip: motion, examples }, { ...plain, gradients: 'meshes', proxyRows: 'centroid' }),
    ],
    ['distortion, with details', poser],
  ].map(([metric, model, limit]) => {
    const session = createPoseSession(model, {}, { numerics });
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

/** How far poses are from those found with a gradient at every vertex, against how far they moved, over some frames. */
export function proxiesAgainstAll(name, { rig, motion, poser, examples, clip: frames }, numerics) {
  const all = buildPoser({ rig, clip: motion, examples }, { proxies: Number.POSITIVE_INFINITY });
  const tips = extremities(rig.mesh.positions, 5);
  const both = [poser, all].map((model) => createPoseSession(model, {}, { numerics }));
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

/** Handles count as met within this fraction of the size. */
const MET = 0.005;
/** Within this fraction of it a frame is an example once more, as in a gallop whose cycles repeat: nothing to be found. */
const REPEATED = 1e-4;

/**
 * Frames that were no examples, by five handles at the ends of the body, beside the nearest example where the handles put it.
 *
 * @param folds  models with their examples, and the clips whose frames are looked for
 */
export function heldOut(name, folds, numerics) {
  let [won, played, met, apart, nearestApart] = [0, 0, 0, 0, 0];
  for (const { rig, poser, examples, clip } of folds) {
    const tips = extremities(rig.mesh.positions, 5);
    const session = createPoseSession(poser, {}, { numerics });
    const posed = new Float32Array(rig.mesh.positions.length);
    const known = [
      examples.rest.positions,
      ...Array.from({ length: frameCount(examples) }, (_, e) => frameAt(examples, e)),
    ];
    const places = (frame) => tips.flatMap((v) => Array.from(frame.subarray(3 * v, 3 * v + 3)));
    for (let t = 0; t < frameCount(clip); t++) {
      const truth = frameAt(clip, t);
      // Each known shape where the handles put it: a rival that may turn as the pose may.
      const placed = known.map((frame) => placedRigidly(frame, truth, tips));
      if (placed.some((frame) => distance(frame, truth) < REPEATED * poser.size)) continue;
      const miss = (frame) => distance(places(frame), places(truth));
      const nearest = placed.reduce((a, b) => (miss(b) < miss(a) ? b : a));
      session.setHandles(handlesOn(truth, tips));
      session.step();
      const found = distance(session.positions(posed), truth);
      played++;
      apart += found / poser.size;
      nearestApart += distance(nearest, truth) / poser.size;
      if (found < distance(nearest, truth)) won++;
      const off = tips.map((v) => distance(posed.subarray(3 * v, 3 * v + 3), truth.subarray(3 * v, 3 * v + 3)));
      if (Math.max(...off) <= MET * poser.size) met++;
    }
    session.dispose();
  }
  return [
    {
      case: name,
      metric: 'held-out frames nearer than the nearest example, rigidly aligned',
      value: (100 * won) / played,
      unit: '%',
      target: 'value >= 90',
    },
    {
      case: name,
      metric: 'mean distance',
      value: (100 * apart) / played,
      unit: '%',
      reference: (100 * nearestApart) / played,
      referenceName: 'nearest example, aligned',
      target: 'ratio <= 0.65',
    },
    {
      case: name,
      metric: 'held-out frames whose handles are met within 0.5 % of the size',
      value: (100 * met) / played,
      unit: '%',
      target: 'value >= 95',
    },
  ];
}

/**
 * Along a path of a clip's own points, frame by frame from the last pose: the largest step of the surface beside that of
 * the clip.
 */
export function along(name, { rig, poser }, clip, numerics) {
  const tips = extremities(rig.mesh.positions, 5);
  const session = createPoseSession(poser, { ease: MOVING_EASE }, { numerics });
  const posed = new Float32Array(rig.mesh.positions.length);
  let [largest, truth] = [0, 0];
  let last;
  for (let t = 0; t < frameCount(clip); t++) {
    session.setHandles(handlesOn(frameAt(clip, t), tips));
    session.step();
    session.positions(posed);
    if (last) {
      largest = Math.max(largest, distance(posed, last));
      truth = Math.max(truth, distance(frameAt(clip, t), frameAt(clip, t - 1)));
    }
    last = posed.slice();
  }
  session.dispose();
  const value = (100 * largest) / poser.size;
  const reference = (100 * truth) / poser.size;
  const metric = 'largest step along a path of its own points';
  return { case: name, metric, value, unit: '%', reference, referenceName: 'clip', target: 'ratio <= 1.5' };
}

/** A shape, moved rigidly so that its points are nearest to those of another. */
function placedRigidly(frame, truth, vertices) {
  const mean = (x, r) => vertices.reduce((sum, v) => sum + x[3 * v + r], 0) / vertices.length;
  const [from, to] = [frame, truth].map((x) => [0, 1, 2].map((r) => mean(x, r)));
  const H = new Float64Array(9);
  for (const v of vertices) {
    for (let k = 0; k < 9; k++) {
      const [a, b] = [Math.floor(k / 3), k % 3];
      H[k] += (frame[3 * v + a] - from[a]) * (truth[3 * v + b] - to[b]);
    }
  }
  const R = new Float64Array(9);
  properRotation(H, 0, R, 0);
  return frame.map((_, k) => {
    const [r, i] = [k % 3, k - (k % 3)];
    return to[r] + [0, 1, 2].reduce((sum, c) => sum + R[3 * r + c] * (frame[i + c] - from[c]), 0);
  });
}

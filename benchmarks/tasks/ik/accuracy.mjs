/** How near poses come: to the examples, to poses found with all vertices, and to frames that were no examples. */
import { frameAt, frameCount, SequenceErrorMeter } from '@pelt/model';
import { buildPoser, createPoseSession } from '@pelt/skin';
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

export function heldOut(name, { rig, poser }, examples, clip, numerics) {
  const tips = extremities(rig.mesh.positions, 5);
  const session = createPoseSession(poser, {}, { numerics });
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

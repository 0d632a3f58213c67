/** What an iteration costs beside full MeshIK on the same examples, and whether it depends on the mesh. */
import { frameAt, frameCount } from '@pelt/model';
import { createMeshIk, createPoseSession } from '@pelt/skin';
import { extremities } from '@pelt/testkit';
import { median } from '../../harness/measure.mjs';
import { handlesOn } from './subjects.mjs';

/** Iterations of each rival that are not counted. */
const WARM_UPS = 30;

/** One iteration from the rest pose beside one of full MeshIK, in turn; a handle more; a frame with its skin. */
export function costs(name, { rig, poser, examples, truth }, least, numerics) {
  const handles = handlesOn(truth, extremities(rig.mesh.positions, 5));
  const rest = new Float64Array(frameCount(examples));
  const reduced = createPoseSession(poser, {}, { numerics });
  const full = createMeshIk(examples, {}, { numerics });
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
  // Neither rival must pay for the compiler.
  for (let turn = 0; turn < WARM_UPS; turn++) {
    for (const session of [reduced, full]) {
      start(session);
      session.iterate();
      session.positions(posed);
    }
  }
  for (let turn = 0; turn < 60; turn++) {
    start(reduced);
    time('reduced', () => reduced.iterate());
    if (turn % 4 === 0) {
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

/** Processor time of one iteration with 20 examples and 60 controls, which uses one thread, from a blend of all examples. */
export function iterationTime(name, { rig, poser }, clip, numerics) {
  const session = createPoseSession(poser, {}, { numerics });
  session.setHandles(handlesOn(frameAt(clip, 50), extremities(rig.mesh.positions, 5)));
  const rest = new Float64Array(session.blend.length).fill(1 / session.blend.length);
  const times = [];
  for (let turn = 0; turn < WARM_UPS + 60; turn++) {
    session.setBlend(rest);
    const start = process.cpuUsage();
    session.iterate();
    const { user, system } = process.cpuUsage(start);
    if (turn >= WARM_UPS) times.push((user + system) / 1000);
  }
  session.dispose();
  return {
    case: name,
    metric: 'one iteration, processor time',
    value: median(times),
    unit: 'ms',
    target: 'value <= 3',
  };
}

/** One iteration of each, in turn: both in the same weather. */
export function sameCost(a, b, numerics) {
  const both = [a, b].map(({ rig, poser, examples, truth }) => {
    const session = createPoseSession(poser, {}, { numerics });
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

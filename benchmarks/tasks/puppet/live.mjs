/**
 * What a live performance costs beside the tracker: the filters before the puppet and how far they lag, self-contact, and the
 * way from one program through the command to the next.
 */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOsc, vmcMessages, vmcSkeleton, writeOsc } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import { jointsAt } from '@pelt/model';
import {
  calibratePerformer,
  createPuppet,
  fitCapsules,
  recogniseHumanoid,
  suggestNeutral,
  uprightMotion,
} from '@pelt/skin';
import { WebSocket } from 'ws';
import { peltOf } from '../../harness/run-command.mjs';
import { asLandmarks, performanceOf } from './calibration.mjs';
import { originOf, recordingOf, rigOf } from './follow.mjs';

const CHARACTER = 'gltf/Soldier.glb';
const TOUCHING = ['gltf/Soldier.glb', 'rigs/human-male.glb', 'gltf/cryptovoxels.vrm'];
const MOTIONS = ['walk', 'run', 'dance'];
export const needs = [...TOUCHING, ...MOTIONS.map((name) => `motion/cmu-${name}.bvh`)];

const FPS = 30;
/** Frames by which the result may lag, and steps between the lags that are tried. */
const [LONGEST_LAG, LAG_STEP] = [4, 0.05];
/** Frames that go through the command, after as many that warm it up. */
const STREAMED = 240;
/** Poses that are sent until the command answers, at least and at most. */
const [SENT_BEFORE, MOST_BEFORE] = [4, 100];

export async function measure(context) {
  const rows = [];
  for (const name of MOTIONS) rows.push(...(await filters(context, name)));
  rows.push(...(await selfContact(context)));
  rows.push(...(await streams(context)));
  return rows;
}

/** Body prior and 1€ filter on landmarks with a centimetre of noise, against the same puppet without either. */
async function filters(context, name) {
  const place = `filters of a camera, ${name}`;
  if (!context.wants(place)) return [];
  context.log(place);
  const rig = await rigOf(context, CHARACTER);
  const known = performanceOf(context, name);
  const seen = asLandmarks(known, 0.01, [18, -47]);
  const { motion, calibration } = uprightMotion(seen, calibratePerformer(seen));
  const open = (options) =>
    createPuppet(
      { character: rig, performer: motion.joints, calibration, camera: 'picture' },
      { travel: 0, ...options },
    );
  const exact = uprightMotion(asLandmarks(known, 0, [18, -47]), calibratePerformer(seen)).motion;
  const posesOf = (puppet, of) =>
    Array.from(of.times, (time, t) => puppet.update(jointsAt(of, t), time).transforms.slice());
  const truth = limbEnds(rig, posesOf(open({ delay: 0, prior: false }), exact));
  const lag = lagOf(limbEnds(rig, posesOf(open({}), motion)), truth);
  const time = (options) => {
    const puppet = open(options);
    let t = 0;
    return () => {
      const k = t++ % motion.times.length;
      if (k === 0) puppet.reset();
      puppet.update(jointsAt(motion, k), motion.times[k]);
    };
  };
  const { value, reference } = await context.compareTimes(time({}), time({ delay: 0, prior: false }));
  return [
    {
      case: place,
      metric: 'time of the whole update',
      value,
      unit: 'ms',
      reference,
      referenceName: 'without filters',
      target: 'value <= 2',
    },
    { case: place, metric: 'lag of hands and feet', value: lag, unit: 'frames', target: 'value <= 2' },
  ];
}

/** S × 12: wrists and ankles, from the pelvis. */
function limbEnds({ bones, name }, poses) {
  const { pelvis, arms, legs } = recogniseHumanoid(bones, name);
  const ends = [...arms, ...legs].map(({ end }) => end);
  return poses.map((pose) => {
    const from = originOf(bones[pelvis], pose, pelvis);
    return ends.flatMap((j) => originOf(bones[j], pose, j).map((value, k) => value - from[k]));
  });
}

/** Frames by which a motion comes later than another one, by the least squared distance. */
function lagOf(late, truth) {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (let lag = 0; lag <= LONGEST_LAG; lag += LAG_STEP) {
    const [whole, part] = [Math.floor(lag), lag % 1];
    let sum = 0;
    for (let t = LONGEST_LAG + 1; t < late.length; t++) {
      const [a, b] = [truth[t - whole], truth[t - whole - 1]];
      for (let k = 0; k < late[t].length; k++) sum += (late[t][k] - (1 - part) * a[k] - part * b[k]) ** 2;
    }
    if (sum < least) [best, least] = [lag, sum];
  }
  return best;
}

async function selfContact(context) {
  const numerics = await openNumerics({ threads: 1 });
  const rows = [];
  for (const file of TOUCHING) {
    const place = `self-contact, ${file.split('/')[1].split('.')[0]}`;
    if (!context.wants(place)) continue;
    context.log(`${place}: time`);
    const rig = await rigOf(context, file);
    const motion = recordingOf(context, 'cmu-dance.bvh');
    const data = { character: rig, performer: motion.joints, neutral: suggestNeutral(motion) };
    const step = (more) => {
      const puppet = createPuppet({ ...data, ...more });
      let t = 0;
      return () => {
        const k = t++ % motion.times.length;
        if (k === 0) puppet.reset();
        puppet.update(jointsAt(motion, k), motion.times[k]);
      };
    };
    const capsules = fitCapsules(rig, undefined, { numerics });
    const { value, reference } = await context.compareTimes(step({ capsules }), step({}));
    rows.push({
      case: place,
      metric: 'added to an update',
      value: value - reference,
      unit: 'ms',
      target: 'value <= 0.5',
    });
  }
  numerics.close?.();
  return rows;
}

/** From the frame that one program sends to the pose that the next one has. */
async function streams(context) {
  const rows = [];
  for (const [kind, through] of [
    ['JSON over WebSockets', throughSockets],
    ['VMC over UDP', throughUdp],
  ]) {
    const place = `stream in to stream out, ${kind}`;
    if (!context.wants(place)) continue;
    context.log(place);
    const times = (await through(context)).slice(STREAMED).sort((a, b) => a - b);
    const at = (share) => times[Math.floor(share * (times.length - 1))];
    rows.push(
      { case: place, metric: 'latency, median', value: at(0.5), unit: 'ms', target: 'value <= 5' },
      { case: place, metric: 'latency, p95', value: at(0.95), unit: 'ms' },
    );
  }
  return rows;
}

/** Plays while the command is between two addresses, as it prints them. */
async function follow(context, live, send, play) {
  const pelt = peltOf(resolve(dirname(fileURLToPath(import.meta.url)), '../../..'));
  const [program, ...args] = [
    ...pelt,
    'puppet',
    context.data(CHARACTER),
    '--live',
    live,
    '--send',
    send,
    '--calibrate',
    'none',
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  const started = new Promise((done, fail) => {
    child.stderr.on('data', (text) => {
      said += text;
      const line = /^live: (.*) {2}\(/m.exec(said);
      if (line) done(line[1].split(' → '));
    });
    child.once('exit', () => fail(new Error(`pelt puppet --live ended: ${said}`)));
  });
  const addresses = await started;
  child.removeAllListeners('exit');
  try {
    return await play(addresses);
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  }
}

const pause = () => new Promise((resume) => setTimeout(resume, 1000 / FPS / 2));

function throughSockets(context) {
  return follow(context, 'ws:0', 'ws:0', (addresses) => talk(recordingOf(context, 'cmu-walk.bvh'), addresses));
}

async function talk(motion, addresses) {
  const [inward, outward] = addresses.map((address) => new WebSocket(address));
  await Promise.all([once(inward, 'open'), once(outward, 'open')]);
  const times = [];
  for (let t = 0; t < 2 * STREAMED; t++) {
    const p = jointsAt(motion, t % motion.times.length);
    const joints = Object.fromEntries(motion.joints.map((name, j) => [name, [...p.subarray(3 * j, 3 * j + 3)]]));
    const text = JSON.stringify({ time: t / FPS, joints });
    const arrived = once(outward, 'message');
    const start = performance.now();
    inward.send(text);
    await arrived;
    times.push(performance.now() - start);
    await pause();
  }
  for (const socket of [inward, outward]) socket.terminate();
  return times;
}

/** The performer is the character itself, as it dances. */
async function throughUdp(context) {
  const rig = await rigOf(context, CHARACTER);
  const motion = recordingOf(context, 'cmu-walk.bvh');
  const { pelvis, spine, neck, head, arms, legs } = recogniseHumanoid(rig.bones, rig.name);
  const limbs = { UpperArm: 'upper', LowerArm: 'lower', Hand: 'end' };
  const shanks = { UpperLeg: 'upper', LowerLeg: 'lower', Foot: 'end' };
  const humanBones = Object.fromEntries([
    ['hips', pelvis],
    ['spine', spine[0]],
    ['chest', spine.at(-1)],
    ['neck', neck],
    ['head', head],
    ...['left', 'right'].flatMap((side, k) => [
      ...Object.entries(limbs).map(([name, part]) => [side + name, arms[k][part]]),
      ...Object.entries(shanks).map(([name, part]) => [side + name, legs[k][part]]),
    ]),
  ]);
  const skeleton = vmcSkeleton(humanBones);
  const puppet = createPuppet({ character: rig, performer: motion.joints, neutral: suggestNeutral(motion) });
  const packetOf = (t) => {
    const { transforms } = puppet.update(jointsAt(motion, t % motion.times.length), t / FPS);
    return writeOsc(vmcMessages(rig.bones, skeleton, transforms, t / FPS));
  };
  const listener = createSocket('udp4');
  listener.bind(0, '127.0.0.1');
  await once(listener, 'listening');
  const sender = createSocket('udp4');
  try {
    const send = `udp:${listener.address().port}`;
    return await follow(context, 'udp:0', send, ([from]) =>
      exchange(sender, listener, Number(from.split(':').at(-1)), packetOf),
    );
  } finally {
    sender.close();
    listener.close();
  }
}

async function exchange(sender, listener, port, packetOf) {
  // A pose that comes again shows how many bones a sender has, and the last of an answer shows where it ends.
  const heard = [];
  const hear = (packet) => heard.push(...bonesOf(packet));
  listener.on('message', hear);
  let t = 0;
  for (; t < SENT_BEFORE || (heard.length === 0 && t < MOST_BEFORE); t++) {
    sender.send(packetOf(t), port, '127.0.0.1');
    await new Promise((resume) => setTimeout(resume, 200));
  }
  listener.off('message', hear);
  const times = [];
  for (const first = t; t < first + 2 * STREAMED; t++) {
    const packet = packetOf(t);
    const arrived = answerWith(listener, heard.at(-1));
    const start = performance.now();
    sender.send(packet, port, '127.0.0.1');
    times.push((await arrived) - start);
    await pause();
  }
  return times;
}

function bonesOf(packet) {
  return readOsc(packet).flatMap(({ address, args }) => (address === '/VMC/Ext/Bone/Pos' ? [args[0]] : []));
}

/** When the packet comes that has a bone. */
function answerWith(socket, bone) {
  return new Promise((done) => {
    const heard = (packet) => {
      if (!bonesOf(packet).includes(bone)) return;
      socket.off('message', heard);
      done(performance.now());
    };
    socket.on('message', heard);
  });
}

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { MEDIAPIPE_JOINTS, readOsc, VmcReceiver, vmcMessages, vmcSkeleton, writeOsc } from '@pelt/io';
import type { LiveFrame } from '@pelt/jobs';
import { poseFromJoints, UsageError } from '@pelt/model';
import { PERFORMER_BONES, stickRig } from '@pelt/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { readAddress } from '../../src/live/address.ts';
import { FrameQueue } from '../../src/live/frame-queue.ts';
import { parseJsonFrame, parseLandmarkLine } from '../../src/live/landmark-lines.ts';
import { openStreams } from '../../src/live/open-streams.ts';

const humanBones = { hips: 0, spine: 1, chest: 2, neck: 3, head: 4 };
const character = { rig: stickRig('man', PERFORMER_BONES), humanBones };
const frameAt = (time: number): LiveFrame => ({ joints: ['hips'], positions: new Float32Array(3), time, received: 0 });

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function streams(from: string, to?: string) {
  const made = await openStreams(from, to, character);
  open.push(() => made.close());
  return made;
}

const portOf = (address: string) => Number(/:(\d+)$/.exec(address)?.[1]);

describe('addresses', () => {
  it('are on this machine unless they say otherwise', () => {
    expect(readAddress('udp:39539', '--live')).toMatchObject({ kind: 'udp', host: '127.0.0.1', port: 39_539 });
    expect(readAddress('udp:10.0.0.2:39539', '--send')).toMatchObject({ host: '10.0.0.2' });
    expect(readAddress('ws:8765', '--live')).toMatchObject({ kind: 'ws', host: '127.0.0.1' });
    expect(readAddress('bvh:-', '--send')).toMatchObject({ kind: 'bvh', file: '-' });
  });

  it('are refused in one line', () => {
    for (const word of ['udp', 'udp:x', 'udp:99999', 'http:80', '']) {
      expect(() => readAddress(word, '--live')).toThrow(UsageError);
    }
  });
});

describe('FrameQueue', () => {
  it('gives a late consumer the newest frame, or all', async () => {
    for (const [keepsAll, expected] of [
      [false, [2]],
      [true, [0, 1, 2]],
    ] as const) {
      const queue = new FrameQueue(keepsAll);
      for (let t = 0; t < 3; t++) queue.push(frameAt(t));
      queue.end();
      const got: number[] = [];
      for await (const { time } of queue) got.push(time);
      expect(got).toEqual(expected);
    }
  });

  it('ends with an error where there is one', async () => {
    const queue = new FrameQueue(true);
    queue.end(new Error('broken'));
    await expect(queue[Symbol.asyncIterator]().next()).rejects.toThrow('broken');
  });
});

describe('landmarks', () => {
  const row = Array.from({ length: 33 }, (_, j) => [j, -1, 2, 0.5]).flat();

  it('come as lines, with a time or not', () => {
    expect(parseLandmarkLine([0.25, ...row].join(','))?.time).toBe(0.25);
    const frame = parseLandmarkLine(row.join(' '));
    expect(frame?.joints).toBe(MEDIAPIPE_JOINTS);
    expect([...(frame?.positions.subarray(3, 6) ?? [])]).toEqual([1, 1, -2]);
    for (const line of ['', 'x,y,z', '1,2,3']) expect(parseLandmarkLine(line)).toBeUndefined();
  });

  it('come as JSON, by name or in order', () => {
    const joints = { hips: [0, 1, 0], head: [0, 1.6, 0, 0.4] };
    expect(parseJsonFrame(JSON.stringify({ time: 3, joints, sliders: { jawOpen: 0.5 } }))).toMatchObject({
      time: 3,
      joints: ['hips', 'head'],
      sliders: { jawOpen: 0.5 },
    });
    const landmarks = Array.from({ length: 33 }, () => ({ x: 0, y: -1, z: 0 }));
    expect(parseJsonFrame(JSON.stringify({ landmarks }))?.camera).toBe('picture');
    for (const text of ['', '{', 'null', '[]', '{"joints":{"hips":["a"]}}', '{"landmarks":[1]}']) {
      expect(parseJsonFrame(text)).toBeUndefined();
    }
  });
});

describe('streams', () => {
  const pose = poseFromJoints(PERFORMER_BONES, { spine: { degrees: [10, 0, 0] } }).transforms;

  it('take VMC over UDP, and whatever else arrives there', async () => {
    const { addresses, frames } = await streams('udp:0');
    const socket = createSocket('udp4');
    const packet = writeOsc(vmcMessages(PERFORMER_BONES, vmcSkeleton(humanBones), pose, 0));
    const next = frames[Symbol.asyncIterator]().next();
    for (const bytes of [Uint8Array.of(1, 2, 3), packet, packet]) socket.send(bytes, portOf(addresses[0]), '127.0.0.1');
    const { value } = await next;
    socket.close();
    expect(value?.joints).toEqual(['hips', 'spine', 'chest', 'neck', 'head']);
  });

  it('send VMC over UDP', async () => {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const { send } = await streams('udp:0', `udp:${socket.address().port}`);
    const arrived = once(socket, 'message');
    send(pose, frameAt(0));
    const [packet] = (await arrived) as [Uint8Array];
    socket.close();
    const receiver = new VmcReceiver();
    for (const message of readOsc(packet)) receiver.take(message);
    expect(receiver.flush()?.joints).toHaveLength(5);
  });

  it('talk JSON with pages, and outlive what they say wrong', async () => {
    const from = await streams('ws:0', 'ws:0');
    const [inward, outward] = from.addresses.map((address) => new WebSocket(address));
    await Promise.all([once(inward, 'open'), once(outward, 'open')]);
    const next = from.frames[Symbol.asyncIterator]().next();
    inward.send('nonsense');
    inward.send(JSON.stringify({ joints: { hips: [0, 1, 0] } }));
    expect((await next).value?.joints).toEqual(['hips']);
    const arrived = once(outward, 'message');
    from.send(pose, { ...frameAt(2), sliders: { smile: 1 } });
    const message = JSON.parse(String((await arrived)[0]));
    expect(message).toMatchObject({ time: 2, sliders: { smile: 1 } });
    expect(message.bones.spine).toHaveLength(12);
    for (const client of [inward, outward]) client.terminate();
  });

  it('are refused where they make no sense', async () => {
    await expect(openStreams('bvh:x.bvh', undefined, character)).rejects.toThrow('--motion');
    await expect(openStreams('udp:0', '-', character)).rejects.toThrow('bvh:-');
    await expect(openStreams('udp:0', 'udp:9', { ...character, humanBones: {} })).rejects.toThrow('no human bones');
    const taken = await streams('ws:0');
    await expect(openStreams(`ws:${portOf(taken.addresses[0])}`, undefined, character)).rejects.toThrow(
      'cannot be opened',
    );
  });
});

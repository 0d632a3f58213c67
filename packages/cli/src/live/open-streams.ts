/** Streams of a live performance: VMC over UDP, JSON over WebSockets, lines of landmarks, BVH. */
import { createSocket, type Socket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { readOsc, skeletonFromClip, VmcReceiver, vmcMessages, vmcSkeleton, writeBvh, writeOsc } from '@pelt/io';
import type { LiveCharacter, LiveFrame, LiveStreams } from '@pelt/jobs';
import { InputError, UsageError } from '@pelt/model';
import { WebSocketServer } from 'ws';
import { readAddress, type StreamAddress } from './address.ts';
import { FrameQueue } from './frame-queue.ts';
import { parseJsonFrame, parseLandmarkLine } from './landmark-lines.ts';

/** Bytes of a message that a page may send. */
const LONGEST_MESSAGE = 1 << 20;
/** Messages of a packet: UDP carries about 1500 bytes in one piece, and a bone takes 60. */
const MESSAGES_PER_PACKET = 20;

type Close = () => Promise<void>;
type Send = LiveStreams['send'];

export async function openStreams(
  from: string,
  to: string | undefined,
  character: LiveCharacter,
): Promise<LiveStreams> {
  const source = readAddress(from, '--live');
  const target = to === undefined ? undefined : readAddress(to, '--send');
  if (source.kind === 'bvh') throw new UsageError(`--live '${from}' is a file; give it to --motion`);
  if (target?.kind === 'lines') throw new UsageError("--send '-' says nothing of the format; give bvh:-");
  const frames = new FrameQueue(source.kind === 'lines');
  const closing: Close[] = [];
  const addresses: string[] = [];
  const stop = () => frames.end();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    addresses.push(await openSource(source, frames, closing));
    const send = target ? await openTarget(target, character, closing, addresses) : () => {};
    process.stderr.write(`live: ${addresses.join(' → ')}  (Ctrl-C ends it)\n`);
    return {
      addresses,
      frames,
      send,
      close: async () => {
        process.off('SIGINT', stop);
        process.off('SIGTERM', stop);
        for (const close of closing) await close();
      },
    };
  } catch (error) {
    for (const close of closing) await close();
    throw error;
  }
}

async function openSource(source: StreamAddress, frames: FrameQueue, closing: Close[]): Promise<string> {
  const clock = new Clock();
  if (source.kind === 'lines') {
    const lines = createInterface({ input: process.stdin });
    let count = 0;
    lines.on('line', (line) => {
      const parsed = parseLandmarkLine(line);
      if (!parsed) return;
      frames.push({ ...parsed, time: parsed.time ?? count / 30, received: performance.now() });
      count++;
    });
    lines.on('close', () => frames.end(count === 0 ? new InputError('no line of 33 landmarks came') : undefined));
    closing.push(async () => lines.close());
    return 'standard input';
  }
  if (source.kind === 'ws') {
    return openServer(source, closing, (text) => {
      const parsed = parseJsonFrame(text);
      const received = performance.now();
      if (parsed) frames.push({ ...parsed, time: clock.at(parsed.time, received), received });
    });
  }
  const receiver = new VmcReceiver();
  const socket = await boundSocket(source, closing);
  socket.on('message', (packet) => {
    const received = performance.now();
    try {
      for (const message of readOsc(packet)) {
        const frame = receiver.take(message);
        if (frame) frames.push({ ...frame, time: clock.at(undefined, received), received });
      }
    } catch (error) {
      // Anything may arrive at a port; what is no packet of the protocol is not answered.
      if (!(error instanceof InputError)) throw error;
    }
  });
  return `udp ${source.host}:${socket.address().port}`;
}

async function openTarget(
  target: StreamAddress,
  character: LiveCharacter,
  closing: Close[],
  addresses: string[],
): Promise<Send> {
  const { rig, humanBones } = character;
  if (target.kind === 'bvh') {
    const take = new Take();
    closing.push(async () => take.write(target.file, character));
    addresses.push(target.file === '-' ? 'standard output' : target.file);
    return (transforms, { time }) => take.add(transforms, time);
  }
  const skeleton = vmcSkeleton(humanBones);
  if (target.kind === 'ws') {
    const clients = new Set<{ send(text: string): void }>();
    addresses.push(await openServer(target, closing, () => {}, clients));
    return (transforms, frame) => {
      if (clients.size === 0) return;
      const text = JSON.stringify(poseMessage(rig, transforms, frame));
      for (const client of clients) client.send(text);
    };
  }
  if (skeleton.length === 0)
    throw new InputError(`'${rig.name}' has no human bones, which VMC names; send it by ws:PORT`);
  const socket = createSocket(target.host.includes(':') ? 'udp6' : 'udp4');
  closing.push(() => closed(socket));
  addresses.push(`udp ${target.host}:${target.port}`);
  let started = Number.NaN;
  return (transforms, { time, sliders }) => {
    if (Number.isNaN(started)) started = time;
    const messages = vmcMessages(rig.bones, skeleton, transforms, time - started, sliders);
    for (let k = 0; k < messages.length; k += MESSAGES_PER_PACKET) {
      socket.send(writeOsc(messages.slice(k, k + MESSAGES_PER_PACKET)), target.port, target.host);
    }
  };
}

/** `{ time, bones: { name: [12 numbers] } }`: row-major 3 × 4, from the rest pose. */
function poseMessage({ bones }: LiveCharacter['rig'], transforms: Float64Array, { time, sliders }: LiveFrame): object {
  const rounded = (value: number) => Number(value.toFixed(5));
  return {
    time,
    bones: Object.fromEntries(
      bones.map(({ name }, j) => [name, Array.from(transforms.subarray(12 * j, 12 * j + 12), rounded)]),
    ),
    ...(sliders && { sliders }),
  };
}

async function openServer(
  { host, port }: StreamAddress,
  closing: Close[],
  onMessage: (text: string) => void,
  clients?: Set<{ send(text: string): void }>,
): Promise<string> {
  const server = new WebSocketServer({ host, port, maxPayload: LONGEST_MESSAGE });
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', (error) => reject(new UsageError(`ws:${port} cannot be opened: ${error.message}`)));
  });
  server.on('connection', (client) => {
    clients?.add(client);
    client.on('message', (data) => onMessage(String(data)));
    client.on('close', () => clients?.delete(client));
    // A client that breaks off, or says too much, is closed; the others go on.
    client.on('error', () => clients?.delete(client));
  });
  closing.push(async () => {
    for (const client of server.clients) client.terminate();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const at = server.address();
  return `ws://${host}:${typeof at === 'object' && at ? at.port : port}`;
}

async function boundSocket({ host, port }: StreamAddress, closing: Close[]): Promise<Socket> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', (error) => reject(new UsageError(`udp:${port} cannot be opened: ${error.message}`)));
    socket.bind(port, host, resolve);
  });
  closing.push(() => closed(socket));
  return socket;
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.close(() => resolve()));
}

/** Times of frames: what the sender says, if it goes on, or when they came. */
class Clock {
  #last = Number.NEGATIVE_INFINITY;

  at(said: number | undefined, received: number): number {
    const time = said ?? received / 1000;
    // A sender that begins again does not turn time back.
    this.#last = time > this.#last ? time : this.#last + 1e-3;
    return this.#last;
  }
}

/** A performance that is kept until it can be written: BVH says beforehand how many frames it has. */
class Take {
  readonly #poses: Float64Array[] = [];
  readonly #times: number[] = [];

  add(transforms: Float64Array, time: number): void {
    this.#poses.push(transforms.slice());
    this.#times.push(time);
  }

  write(file: string, { rig }: LiveCharacter): void {
    if (this.#poses.length === 0) return;
    const transforms = new Float64Array(this.#poses.length * 12 * rig.bones.length);
    for (const [t, pose] of this.#poses.entries()) transforms.set(pose, t * pose.length);
    const times = Float64Array.from(this.#times, (time) => time - this.#times[0]);
    const bytes = writeBvh(skeletonFromClip(rig.bones, { name: rig.name, times, transforms }));
    if (file === '-') process.stdout.write(bytes);
    else writeFileSync(file, bytes);
  }
}

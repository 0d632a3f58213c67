import { writeSkinnedGlb } from '@pelt/io';
import { InputError, UsageError } from '@pelt/model';
import { PERFORMER_BONES, PERFORMER_JOINTS, performerPose, stickRig } from '@pelt/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LiveFrame, LiveStreams } from '../../src/puppet/live-streams.ts';
import { dogFiles } from '../dog-files.ts';
import { Workspace } from '../workspace.ts';

let space: Workspace;

beforeAll(async () => {
  const rig = stickRig('person', PERFORMER_BONES);
  space = new Workspace({
    ...(await dogFiles()),
    'person.glb': (await writeSkinnedGlb({ rig, clips: [] })).bytes,
    'me.csv': landmarkTable(),
  });
});

/** Lines of 33 world landmarks: two seconds of standing, turned from the camera by 40°. */
function landmarkTable(): Uint8Array<ArrayBuffer> {
  const pose = performerPose({}, { headingDegrees: 40 });
  const at = (name: string) => [...pose.subarray(3 * PERFORMER_JOINTS.indexOf(name)).subarray(0, 3)];
  const names = ['Shoulder', 'Elbow', 'Wrist', 'Hand', 'Hand', 'Hand', 'Hip', 'Knee', 'Ankle', 'Ankle', 'Toes'];
  const points = [
    ...Array.from({ length: 11 }, () => at('head')),
    ...names.flatMap((name) => [at(`left${name}`), at(`right${name}`)]),
  ];
  const hips = at('leftHip').map((value, k) => (value + at('rightHip')[k]) / 2);
  const row = points.flatMap(([x, y, z]) => [x - hips[0], hips[1] - y, hips[2] - z, 1]);
  return new TextEncoder().encode(Array.from({ length: 60 }, (_, t) => [t / 30, ...row].join(',')).join('\n'));
}

describe('puppet by a camera', () => {
  const perform = (options: object) =>
    space.run({
      command: 'puppet',
      inputs: ['person.glb'],
      output: 'out.glb',
      options: { motion: 'me.csv', ...options },
    });

  it('finds where the performer stands, and turns the recording', async () => {
    const { report } = await perform({});
    expect(report.calibration?.yaw).toBeCloseTo(40, 1);
    expect(report.quality?.jitter).toBeLessThan(0.01);
  });

  it('takes a direction, a frame, and none', async () => {
    expect((await perform({ forward: 'camera' })).report.calibration?.yaw).toBe(0);
    expect((await perform({ calibrate: 30, forward: 15 })).report.calibration?.yaw).toBeCloseTo(15, 6);
    expect((await perform({ calibrate: 'none' })).report.calibration).toBeUndefined();
    await expect(perform({ calibrate: 1e5 })).rejects.toThrow(UsageError);
  });

  it('plays a mirror', async () => {
    expect((await perform({ mirror: true })).report.calibration?.yaw).toBeCloseTo(-40, 1);
  });

  it('asks for what is missing', async () => {
    const { motion: _, ...none } = { motion: undefined };
    await expect(
      space.run({ command: 'puppet', inputs: ['person.glb'], output: 'x.glb', options: none }),
    ).rejects.toThrow('give --motion a file');
    await expect(
      space.run({ command: 'puppet', inputs: ['person.glb'], options: { motion: 'me.csv' } }),
    ).rejects.toThrow('give -o');
  });
});

describe('weights over time', () => {
  const options = { motion: 'me.bvh', pairs: 'dog.json', parts: 'body' } as const;

  it('sum to one in every part, in the report and as a picture', async () => {
    const { report } = await space.run({
      command: 'puppet',
      inputs: ['dog.glb'],
      output: 'dog-out.glb',
      options: { ...options, chart: 'weights.svg' },
    });
    expect(report.weights?.parts).toEqual(report.parts);
    for (const parts of report.weights?.values ?? []) {
      for (const weights of parts) expect(weights.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 2);
    }
    const svg = new TextDecoder().decode(space.read('weights.svg'));
    const pairs = report.pairs.length * (report.parts?.length ?? 0);
    expect(svg.match(/<polyline/g)).toHaveLength(pairs);
    expect(svg).not.toContain('NaN');
  });

  it('are refused where there are none, or as another file', async () => {
    const person = { command: 'puppet', inputs: ['person.glb'], output: 'y.glb' } as const;
    await expect(space.run({ ...person, options: { motion: 'me.bvh', chart: 'w.svg' } })).rejects.toThrow(
      'give --pairs',
    );
    await expect(
      space.run({ command: 'puppet', inputs: ['dog.glb'], output: 'z.glb', options: { ...options, chart: 'w.png' } }),
    ).rejects.toThrow('.svg');
  });
});

describe('puppet, live', () => {
  const live = { command: 'puppet', inputs: ['person.glb'], options: { live: 'made', send: 'nowhere' } } as const;

  it('is refused without a network, or beside a recording', async () => {
    await expect(space.run(live)).rejects.toThrow('command line');
    await expect(space.run({ ...live, options: { live: 'made', motion: 'me.bvh' } })).rejects.toThrow(UsageError);
    await expect(space.run({ ...live, options: { send: 'nowhere' } })).rejects.toThrow('give --live');
  });

  it('poses each frame, and calibrates once the performer has stood', async () => {
    const sent: Float64Array[] = [];
    async function* frames(): AsyncGenerator<LiveFrame> {
      for (let t = 0; t < 45; t++) {
        const positions = performerPose({}, { headingDegrees: 30 });
        yield { joints: PERFORMER_JOINTS, positions, time: t / 30, camera: 'picture', received: performance.now() };
      }
    }
    let closed = false;
    const streams: LiveStreams = {
      addresses: ['made'],
      frames: frames(),
      send: (transforms) => sent.push(transforms.slice()),
      close: async () => {
        closed = true;
      },
    };
    const { report } = await space.run(live, { openStreams: async () => streams });
    expect(report.live).toMatchObject({ frames: 45 });
    expect(report.live?.calibratedAt).toBeGreaterThan(0.8);
    expect(closed).toBe(true);
    // Turned by 30° before, forward after.
    const front = (pose: Float64Array) => (Math.atan2(pose[2], pose[10]) * 180) / Math.PI;
    expect(front(sent[10])).toBeCloseTo(30, 0);
    expect(Math.abs(front(sent[44]))).toBeLessThan(3);
  });
});

describe('clean', () => {
  beforeAll(async () => {
    await space.run({ command: 'puppet', inputs: ['person.glb'], output: 'take.glb', options: { motion: 'me.bvh' } });
  });

  it('smooths every animation, and says how much', async () => {
    const { report } = await space.run({ command: 'clean', inputs: ['take.glb'], output: 'clean.glb', options: {} });
    expect(report.clips).toHaveLength(1);
    const [{ before, after }] = report.clips;
    expect(after.jitter).toBeLessThan(before.jitter);
    const again = await space.run({ command: 'info', inputs: ['clean.glb'], options: {} });
    expect(JSON.stringify(again.report)).toContain('performance');
  });

  it('refuses what has no animations, and names that are not there', async () => {
    await expect(space.run({ command: 'clean', inputs: ['person.glb'], output: 'n.glb', options: {} })).rejects.toThrow(
      InputError,
    );
    await expect(
      space.run({ command: 'clean', inputs: ['take.glb'], output: 'n.glb', options: { clips: ['no such'] } }),
    ).rejects.toThrow("it has 'performance'");
    await expect(space.run({ command: 'clean', inputs: ['take.glb'], output: 'n.obj', options: {} })).rejects.toThrow(
      UsageError,
    );
  });
});

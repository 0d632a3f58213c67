/** `pelt puppet --live`: a character follows a performer while the streams last. */
import { UsageError } from '@pelt/model';
import type { Job } from '../job.ts';
import type { Checked } from '../request/table.ts';
import { LivePuppet } from './live-puppet.ts';
import type { PUPPET } from './table.ts';

type LiveRequest = Checked<typeof PUPPET>;

export interface LiveReport {
  readonly frames: number;
  readonly seconds: number;
  /** Milliseconds from a frame's arrival to its pose being sent. */
  readonly latency: { readonly median: number; readonly p95: number };
  /** Seconds after which the performer had stood; absent where that was not needed or did not happen. */
  readonly calibratedAt?: number;
}

export interface LivePerformance {
  readonly character: LivePuppet;
  readonly joints: number;
  readonly report: LiveReport;
}

export async function performLive({ inputs, options }: LiveRequest, job: Job): Promise<LivePerformance> {
  const { live, send, motion, suggest } = options;
  if (live === undefined) throw new UsageError('--send is for a live performance; give --live');
  if (motion !== undefined || suggest !== undefined) {
    throw new UsageError('--live follows a performer; leave --motion and --suggest out');
  }
  if (!job.openStreams) throw new UsageError('--live is for the command line, where there is a network');
  const character = await LivePuppet.open(inputs[0], options, job);
  const streams = await job.openStreams(live, send, character);
  const latencies: number[] = [];
  let [joints, started, last, calibratedAt] = [0, Number.NaN, 0, Number.NaN];
  try {
    job.context.onProgress?.({ stage: 'live', fraction: 0, detail: streams.addresses.join(', ') });
    for await (const frame of streams.frames) {
      if (Number.isNaN(started)) started = frame.time;
      streams.send(character.update(frame), frame);
      latencies.push(performance.now() - frame.received);
      [joints, last] = [frame.joints.length, frame.time];
      if (Number.isNaN(calibratedAt) && character.calibration) {
        calibratedAt = frame.time - started;
        job.context.onProgress?.({ stage: 'live', fraction: 0, detail: 'calibrated' });
      }
    }
  } finally {
    await streams.close();
  }
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(share * (latencies.length - 1))] ?? 0;
  return {
    character,
    joints,
    report: {
      frames: latencies.length,
      seconds: latencies.length > 0 ? last - started : 0,
      latency: { median: at(0.5), p95: at(0.95) },
      ...(!Number.isNaN(calibratedAt) && { calibratedAt }),
    },
  };
}

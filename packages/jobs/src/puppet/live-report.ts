/** What a live performance has to report. */
import type { Job } from '../job.ts';
import type { Checked } from '../request/table.ts';
import { performLive } from './perform-live.ts';
import type { PuppetReport } from './puppet.ts';
import type { PUPPET } from './table.ts';

export async function liveReport(request: Checked<typeof PUPPET>, job: Job): Promise<PuppetReport> {
  const { character, joints, report } = await performLive(request, job);
  const { live = '', send = '' } = request.options;
  const { frames, seconds: duration } = report;
  return {
    input: {
      character: request.inputs[0],
      bones: character.rig.bones.length,
      motion: live,
      joints,
      frames,
      duration,
    },
    gaps: { interpolated: 0, held: 0, joints: [], unseen: [] },
    pairs: [],
    live: report,
    seconds: { read: 0, perform: duration, write: 0 },
    output: { file: send, bytes: 0, keys: frames },
  };
}

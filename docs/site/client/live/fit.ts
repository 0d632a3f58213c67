/** Fit: the arm fitted with 2 to 20 bones while the slider moves, beside the input, coloured by bones or by error. */
import { frameAt, frameCount, type MeshSequence } from '@pelt/model';
import { movingSequence } from '../../../../apps/studio/src/viewport/moving.ts';
import { Surface } from '../../../../apps/studio/src/viewport/surface.ts';
import { arrange, boxOf } from './arrange.ts';
import { FrameClock } from './clock.ts';
import type { StartLive } from './host.ts';
import { Model, updateModels } from './model.ts';

/** End of the heat map, in metres. */
const LIMIT = 0.01;
const BONES = 4;

interface Fitted {
  readonly bones: number;
  readonly glb: ArrayBuffer;
  readonly eRms: number;
  readonly milliseconds: number;
  readonly count: number;
}

export const start: StartLive = async (host) => {
  const worker = new Worker(new URL('./fit-worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('error', ({ message }) => host.fail(new Error(message)));
  const answer = <T>() =>
    new Promise<T>((done) => worker.addEventListener('message', ({ data }) => done(data), { once: true }));
  const { sequence } = await answer<{ sequence: MeshSequence }>();
  const input = new Surface(movingSequence(sequence));
  host.stage.world.add(input.mesh);

  const showLegend = host.legend('1 cm');
  showLegend(false);
  let model: Model | undefined;
  let colours = 0;
  let wanted = BONES;
  let busy = false;
  const fit = async () => {
    if (busy) return;
    busy = true;
    try {
      for (let done = -1; done !== wanted; ) {
        done = wanted;
        worker.postMessage(done);
        const { glb, eRms, milliseconds, count } = await answer<Fitted>();
        const next = await Model.load(host, glb);
        if (model) {
          next.root.position.copy(model.root.position);
          host.columns = [input.mesh, next.root];
          model.dispose();
        }
        model = next;
        if (colours === 0) model.paintBones();
        host.say(
          `${count} bones: E_RMS ${eRms.toFixed(2)}, fitted in ${(milliseconds / 1000).toFixed(2)} s on one thread`,
        );
      }
    } catch (error) {
      host.fail(error);
    }
    busy = false;
  };
  host.slider('Bones', { min: 2, max: 20, value: BONES }, (bones) => {
    wanted = bones;
    void fit();
  });
  host.choices('Colours', ['Bones', 'Error'], (choice) => {
    colours = choice;
    if (choice === 0) model?.paintBones();
    showLegend(choice === 1);
  });
  const clock = new FrameClock(host, frameCount(sequence), 24, 14);
  await fit();
  if (!model) throw new Error('the fit gave no model');
  const box = boxOf(sequence.frames);
  arrange(host, [input.mesh, model.root], [box, box], { azimuth: 0, elevation: 10, margin: 0.94 });
  host.labels(['Input', 'Fit']);

  return {
    frame(seconds) {
      const t = clock.at(seconds);
      input.show(t);
      model?.setTime(sequence.times[t] - sequence.times[0] + 1e-6);
      if (colours === 1) model?.paintHeat(frameAt(sequence, t), LIMIT);
      updateModels(host);
    },
    dispose: () => worker.terminate(),
  };
};

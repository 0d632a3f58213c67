/** Reduce: eight weights per vertex truncated or refitted to four and two, and as two layers, beside the original. */

import { Box3 } from 'three/webgpu';
import { arrange, boxOf } from './arrange.ts';
import type { StartLive } from './host.ts';
import { fetchModel, Model, updateModels } from './model.ts';

/** End of the heat map, in metres. */
const LIMIT = 0.005;
const WEIGHTS = ['4', '2', 'Two layers'];
const METHODS = ['k-largest', 'refit'];

export const start: StartLive = async (host) => {
  const errors: Record<string, number> = JSON.parse(new TextDecoder().decode(await fetchModel('reduce.json')));
  const original = await Model.load(host, await fetchModel('reduce-8.glb'));
  const choice = { weights: 0, method: 0 };
  let model: Model | undefined;
  let order = 0;
  const show = async () => {
    const mine = ++order;
    const name = choice.weights === 2 ? 'two-layer' : `${WEIGHTS[choice.weights]}-${METHODS[choice.method]}`;
    const next = await Model.load(host, await fetchModel(`reduce-${name}.glb`));
    if (mine !== order) return next.dispose();
    if (model) {
      next.root.position.copy(model.root.position);
      host.columns = [original.root, next.root];
      model.dispose();
    }
    model = next;
    const words = ['the largest weights kept', 'weights and bones refitted'];
    const what =
      choice.weights === 2
        ? 'two weights per vertex over 160 virtual bones'
        : `${WEIGHTS[choice.weights]} weights per vertex, ${words[choice.method]}`;
    host.say(`${what}: E_RMS ${errors[name].toPrecision(2)}`);
  };
  const change = () => void show().catch((error) => host.fail(error));
  host.choices('Weights', WEIGHTS, (index) => {
    choice.weights = index;
    change();
  });
  host.choices('Method', ['Truncate', 'Refit'], (index) => {
    choice.method = index;
    change();
  });
  await show();
  if (!model) throw new Error('no model');
  const box = new Box3();
  for (let share = 0; share < 1; share += 0.1) {
    original.setTime(share * original.duration);
    box.union(boxOf(original.readPositions()));
  }
  arrange(host, [original.root, model.root], [box, box], { azimuth: 0, elevation: 10, margin: 0.94 });
  host.labels(['8 weights', 'Reduced']);
  host.legend('5 mm');
  return {
    frame(seconds) {
      const time = seconds === 0 ? 0.4 : seconds;
      original.setTime(time);
      model?.setTime(time);
      model?.paintHeat(original.readPositions(), LIMIT);
      updateModels(host);
    },
  };
};

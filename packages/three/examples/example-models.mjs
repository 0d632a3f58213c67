// @ts-check
/** The models that the examples load, by name: generated, small, in a few seconds. */
import { openNumerics } from '@pelt/math';
import { creatureScene, elbowScene } from '@pelt/testkit';
import { envelopeModel, fittedModel, learntSkin, plainModel, poserModel, twoLayerModel } from './models.mjs';

/** @param {number} [scale]  of edge lengths: above 1 for coarser models that are ready sooner */
export async function exampleModels(scale = 1) {
  const numerics = await openNumerics({ threads: 1 });
  try {
    const walk = creatureScene({ frames: 24, detail: 0.045 * scale });
    const bend = elbowScene({ frames: 25, rings: Math.round(41 / scale), sides: Math.round(24 / scale), radius: 0.13 });
    const skin = learntSkin(bend, numerics, [0, 12, 24], { proxies: 24, keys: 40, samples: 20 });
    return new Map([
      ['creature', await fittedModel(numerics, 0.045 * scale)],
      ['arm', await envelopeModel(skin, bend)],
      ['layers', await twoLayerModel(walk, numerics, 120)],
      ['poser', await poserModel(creatureScene({ frames: 12, detail: 0.05 * scale }), numerics, 16, 120, false)],
      ['small', await plainModel(creatureScene({ frames: 24, detail: 0.08 * scale }))],
    ]);
  } finally {
    numerics.close();
  }
}

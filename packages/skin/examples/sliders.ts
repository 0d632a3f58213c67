import { openNumerics } from '@pelt/math';
import { correctSliders, fitSliders, SliderBones, sliderErrors, sliderTransforms } from '@pelt/skin/sliders';
import { faceShapes } from '@pelt/testkit';

const numerics = await openNumerics();
const face = faceShapes();
const fit = fitSliders(face, { bones: 12, weights: 4 }, { numerics });
const error = sliderErrors(face, fit, { mixtures: 20 });
// The worst hundred vertices of all sliders, displaced beside the bones.
const corrected = sliderErrors(face, correctSliders(face, fit, 100), { mixtures: 0 });
numerics.close();

// A frame: set values, sum the maps, and hand the palette to any skinning.
const bones = new SliderBones(fit.sliders, fit.rig.bones.length);
bones.values[bones.indexOf('jawOpen') ?? 0] = 0.7;
const palette = sliderTransforms(bones.update(), fit.rig.bones, new Float64Array(bones.local.length));

if (palette.every((value, k) => value === (k % 5 === 0 && k % 12 < 11 ? 1 : 0))) throw new Error('the jaw moves');
if (!(error.rms < 0.01)) throw new Error('shapes are met to a hundredth of the head');
if (!(corrected.max < error.max)) throw new Error('corrections lower the largest error');

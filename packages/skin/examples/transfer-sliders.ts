import { openNumerics } from '@pelt/math';
import { fitSliders, SliderBones, transferSliders } from '@pelt/skin/sliders';
import { faceShapes } from '@pelt/testkit';

const numerics = await openNumerics();
const fit = fitSliders(faceShapes({ step: 0.012 }), { bones: 8, weights: 4 }, { numerics });
numerics.close();

// Another mesh of about the same face gets bones that follow the same sliders.
const { rig, sliders, distance } = transferSliders(fit, faceShapes({ step: 0.016 }).mesh);
const bones = new SliderBones(sliders, rig.bones.length);
if (bones.indexOf('jawOpen') === undefined || !(distance.p90 < 0.03)) throw new Error('the jaw opens here, too');

import { type Sliders, validateSliderClip, validateSliders } from '@pelt/model';

// A jaw (bone 1) that goes down by 2 where the slider is fully on: element 7 is the translation along y.
const sliders: Sliders = {
  names: ['jawOpen'],
  starts: Uint32Array.of(0, 1),
  bones: Uint16Array.of(1),
  elements: Uint8Array.of(7),
  values: Float32Array.of(-2),
};
validateSliders(sliders, 2);

const clip = { name: 'yawn', times: Float64Array.of(0, 1), values: Float32Array.of(0, 1) };
validateSliderClip(clip, sliders.names.length);

let refused = false;
try {
  validateSliders(sliders, 1);
} catch {
  refused = true;
}
if (!refused) throw new Error('there is no bone 1 in a rig of one bone');

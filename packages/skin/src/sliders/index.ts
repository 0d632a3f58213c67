/** Bones that follow sliders, from blend shapes. */
export { SLIDER_DEFAULTS, type SliderOptions } from './options.ts';
export * from './runtime/index.ts';
export { correctSliders } from './training/correct-sliders.ts';
export type { SliderCorrections } from './training/corrections.ts';
export { fitSliders, type SliderFit, type SliderShapes } from './training/fit-sliders.ts';
export { type MixtureErrors, type SliderErrors, sliderErrors } from './training/slider-errors.ts';
export { type TransferredSliders, transferSliders } from './training/transfer-sliders.ts';

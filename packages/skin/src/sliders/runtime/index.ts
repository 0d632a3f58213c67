/** Play bones that follow sliders. */
export { SliderBones, sliderTransforms } from './slider-bones.ts';

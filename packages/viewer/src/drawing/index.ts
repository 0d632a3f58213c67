export { BACKGROUND, INK, mapColour, toHex } from './colour.ts';
export { cameraAxes, FIELD_OF_VIEW, fitCamera } from './framing.ts';
export type {
  BonesItem,
  Colour,
  Heat,
  Item,
  LabelItem,
  LinesItem,
  MeshItem,
  PointsItem,
  Vector,
  View,
} from './items.ts';
export { pointsOf, shotOf } from './shot.ts';
export { Stage } from './stage.ts';
export { linearTicks, logTicks, tickText } from './ticks.ts';

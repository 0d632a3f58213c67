/**
 * What a figure is: plain data, from which the page draws. Figure scripts return it, the viewer makes it from files,
 * and it can be saved. Nothing here runs; it is the contract between the scripts and the page.
 */

import type { Colour, Item, View } from '@pelt/viewer/drawing';

export type { BonesItem, Heat, Item, LabelItem, LinesItem, MeshItem, PointsItem, View } from '@pelt/viewer/drawing';

export interface ScenePanel {
  readonly kind: 'scene';
  readonly title?: string;
  readonly note?: string;
  readonly items: readonly Item[];
  readonly view?: View;
  /** A ground that catches the shadow; default true. */
  readonly ground?: boolean;
}

export interface Series {
  readonly name: string;
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  readonly colour?: Colour;
  /** 'line' (default), 'points', or both */
  readonly mark?: 'line' | 'points' | 'both';
  readonly dashed?: boolean;
}

export interface Axis {
  readonly label: string;
  readonly scale?: 'linear' | 'log';
  /** Default: the data's range, from 0 where that is near. */
  readonly min?: number;
  readonly max?: number;
}

export interface PlotPanel {
  readonly kind: 'plot';
  readonly title?: string;
  readonly note?: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
}

export type Panel = ScenePanel | PlotPanel;

export interface Figure {
  readonly title?: string;
  readonly caption?: string;
  /** CSS pixels; the picture has twice as many each way. Default 800 × whatever the panels need. */
  readonly width?: number;
  /** Height of a panel's picture, CSS pixels; default 300. */
  readonly panelHeight?: number;
  /** Panels in a row; default all of them. */
  readonly columns?: number;
  readonly panels: readonly Panel[];
  /** All scenes with one camera, framed on everything together, so that sizes compare. Default true. */
  readonly sameView?: boolean;
  /** Light and pixel samples; more are smoother and slower. Default 48. */
  readonly samples?: number;
}

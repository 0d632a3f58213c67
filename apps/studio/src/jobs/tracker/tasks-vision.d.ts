/** The little that is used of the tracker, whose package does not lead TypeScript to its types. */
declare module '@mediapipe/tasks-vision' {
  export interface NormalizedLandmark {
    readonly x: number;
    readonly y: number;
    readonly z: number;
    readonly visibility: number;
  }

  export interface PoseLandmarkerResult {
    /** Of each body, in parts of the picture. */
    readonly landmarks: readonly (readonly NormalizedLandmark[])[];
    /** Of each body, in metres from the middle of the hips. */
    readonly worldLandmarks: readonly (readonly NormalizedLandmark[])[];
  }

  export interface HandLandmarkerResult {
    /** 21 of each hand, in parts of the picture. */
    readonly landmarks: readonly (readonly NormalizedLandmark[])[];
    /** 21 of each hand, in metres from its middle. */
    readonly worldLandmarks: readonly (readonly NormalizedLandmark[])[];
  }

  export class HandLandmarker {
    static createFromOptions(
      files: { readonly wasmLoaderPath: string; readonly wasmBinaryPath: string },
      options: object,
    ): Promise<HandLandmarker>;
    detectForVideo(picture: ImageBitmap, milliseconds: number): HandLandmarkerResult;
    close(): void;
  }

  export class PoseLandmarker {
    static createFromOptions(
      files: { readonly wasmLoaderPath: string; readonly wasmBinaryPath: string },
      options: object,
    ): Promise<PoseLandmarker>;
    detectForVideo(picture: ImageBitmap, milliseconds: number): PoseLandmarkerResult;
    close(): void;
  }
}

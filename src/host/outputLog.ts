import type * as vscode from 'vscode';
import type { ModelLogger } from '../sdk/model/modelLogger';
import type { Disposable } from '../util/disposable';

type Channel = Pick<vscode.LogOutputChannel, 'info' | 'warn' | 'error' | 'show' | 'dispose'>;

/**
 * The output channel "Open Agent": every request with its address, model, counts, status and duration, and what went
 * wrong inside. Contents only while the person has asked for them. Keys never: nothing here ever sees one.
 */
export class OutputLog implements ModelLogger, Disposable {
  readonly #create: () => Channel;
  readonly #areContentsLogged: () => boolean;
  #channel: Channel | undefined;

  /** The channel is made when there is something to say. */
  constructor(parts: { readonly create: () => Channel; readonly areContentsLogged: () => boolean }) {
    this.#create = parts.create;
    this.#areContentsLogged = parts.areContentsLogged;
  }

  request({ url, model, messageCount, toolCount, body }: Parameters<ModelLogger['request']>[0]): void {
    this.info(`-> POST ${url} model=${model} messages=${messageCount} tools=${toolCount}`);
    if (this.#areContentsLogged()) this.info(`-> ${body()}`);
  }

  response({ url, ms, status, stopReason, usage, error, content }: Parameters<ModelLogger['response']>[0]): void {
    const parts = [
      `<- ${status ?? 'no answer'} ${url} ${ms} ms`,
      stopReason && `stop=${stopReason}`,
      usage && `promptTokens=${usage.promptTokens} completionTokens=${usage.completionTokens}`,
      usage?.cachedTokens !== undefined && `cachedTokens=${usage.cachedTokens}`,
      error && `${error.code}: ${error.message}`,
    ];
    const line = parts.filter((part) => typeof part === 'string').join(' ');
    if (error && error.code !== 'interrupted') this.warn(line);
    else this.info(line);
    if (this.#areContentsLogged()) this.info(`<- ${content()}`);
  }

  info(message: string): void {
    this.#get().info(message);
  }

  warn(message: string): void {
    this.#get().warn(message);
  }

  /** Something that should not have happened. */
  readonly error = (error: unknown): void => {
    this.#get().error(error instanceof Error ? error : String(error));
  };

  show(): void {
    this.#get().show(true);
  }

  dispose(): void {
    this.#channel?.dispose();
    this.#channel = undefined;
  }

  #get(): Channel {
    this.#channel ??= this.#create();
    return this.#channel;
  }
}

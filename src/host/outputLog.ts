import type * as vscode from 'vscode';
import type { ModelLogger } from '../sdk/model/modelLogger';
import type { Disposable } from '../util/disposable';

type Channel = Pick<vscode.LogOutputChannel, 'info' | 'warn' | 'error' | 'show' | 'dispose'>;

/**
 * The output channel "Open Agent": each request with address, model, counts, status and duration, and internal errors.
 * Contents are logged only while the setting asks for them. No API key ever comes here.
 */
export class OutputLog implements ModelLogger, Disposable {
  readonly #create: () => Channel;
  readonly #areContentsLogged: () => boolean;
  #channel: Channel | undefined;

  /** The channel is created with the first line. */
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
      usage?.writtenPerSecond !== undefined && `tokensPerSecond=${Math.round(usage.writtenPerSecond)}`,
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

  /** Logs an internal error. */
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

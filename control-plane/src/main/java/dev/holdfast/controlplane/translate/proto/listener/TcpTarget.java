// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

/** A cluster that gets connections, and how many of them compared with others. */
public record TcpTarget(String cluster, long weight) {}

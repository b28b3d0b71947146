// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

/** A cluster that receives connections, with its relative weight. */
public record TcpTarget(String cluster, long weight) {}

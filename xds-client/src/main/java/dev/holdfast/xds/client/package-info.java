// SPDX-License-Identifier: Apache-2.0
/**
 * The xDS client: watch resources of any type on any xDS server, and learn what gRFC A57, gRFC A88
 * and xRFC TP3 say a client should know when something goes wrong.
 *
 * <p>Start at {@link dev.holdfast.xds.client.XdsClient}. The wire is an SPI in {@code transport};
 * the engine behind the interface is in {@code engine} and not for use from outside.
 */
@NullMarked
package dev.holdfast.xds.client;

import org.jspecify.annotations.NullMarked;

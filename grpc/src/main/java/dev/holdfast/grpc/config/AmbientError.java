// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

/**
 * Something that is amiss although what is there stays in use (gRFC A88).
 *
 * @param subject what it is about: {@code EDS resource e}
 * @param reason what is wrong with it, without the node
 */
record AmbientError(String subject, String reason) {}

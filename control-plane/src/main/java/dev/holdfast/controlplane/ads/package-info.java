// SPDX-License-Identifier: Apache-2.0
/**
 * The xDS server. Everything runs on one loop.
 *
 * <pre>
 *   fleet       the connected proxies as the rollout and the status see them
 *     |
 *   ads         AdsServer: proxies, served snapshots, rejections; AdsReports: the same as values
 *     |
 *   stream      one stream, one type on it, decisions, responses
 *     |
 *   reconnect   versions that disconnected proxies held
 *   view        the snapshot that each proxy is served
 *   proxy       identity, rejected versions, retries, counts, AdsObserver
 *   wire        gRPC services, encoding, threads
 *   access      what clients may be and have, by the names in their certificates
 * </pre>
 *
 * <p>A package uses only those below it.
 */
@NullMarked
package dev.holdfast.controlplane.ads;

import org.jspecify.annotations.NullMarked;

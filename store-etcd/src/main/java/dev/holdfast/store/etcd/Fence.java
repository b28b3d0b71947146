// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.etcd;

import com.google.protobuf.ByteString;
import java.util.function.LongSupplier;

/**
 * What shows etcd that a writer still leads.
 *
 * @param key that only the leader has
 * @param identity its value, if we lead
 * @param created the revision that created it; 0 if we do not lead, as far as we know
 */
record Fence(ByteString key, String identity, LongSupplier created) {}

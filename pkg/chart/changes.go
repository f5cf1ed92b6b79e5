package chart

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The patches of the mutating policies: added keys are taken out, edited ones get their old value, removed ones come back.
const (
	stripAndRevert = `(!has(object.metadata.annotations) ? [] : object.metadata.annotations.filter(key, key.startsWith("downscaler/") &&
  !(oldObject != null && has(oldObject.metadata.annotations) && key in oldObject.metadata.annotations))
  .map(key, JSONPatch{op: "remove", path: "/metadata/annotations/" + jsonpatch.escapeKey(key)}))
+ (oldObject == null || !has(oldObject.metadata.annotations) || !has(object.metadata.annotations) ? [] : oldObject.metadata.annotations.filter(key,
  key.startsWith("downscaler/") && key in object.metadata.annotations && object.metadata.annotations[key] != oldObject.metadata.annotations[key])
  .map(key, JSONPatch{op: "replace", path: "/metadata/annotations/" + jsonpatch.escapeKey(key), value: oldObject.metadata.annotations[key]}))`

	restore = `oldObject == null || !has(oldObject.metadata.annotations) ? [] :
(has(object.metadata.annotations) ? [] : [JSONPatch{op: "add", path: "/metadata/annotations", value: {}}])
+ oldObject.metadata.annotations.filter(key, key.startsWith("downscaler/") && !(has(object.metadata.annotations) && key in object.metadata.annotations))
  .map(key, JSONPatch{op: "add", path: "/metadata/annotations/" + jsonpatch.escapeKey(key), value: oldObject.metadata.annotations[key]})`
)

func jsonPatch(expression string) []admissionregistrationv1.Mutation {
	return []admissionregistrationv1.Mutation{{
		PatchType: admissionregistrationv1.PatchTypeJSONPatch,
		JSONPatch: &admissionregistrationv1.JSONPatch{Expression: expression},
	}}
}

func additionValidations() []admissionregistrationv1.Validation {
	return []admissionregistrationv1.Validation{
		forbidden("add", `!has(object.metadata.annotations) || object.metadata.annotations.all(key, !key.startsWith("downscaler/") ||
  (oldObject != null && has(oldObject.metadata.annotations) && key in oldObject.metadata.annotations))`),
		forbidden("edit", `!has(object.metadata.annotations) || object.metadata.annotations.all(key, !key.startsWith("downscaler/") ||
  (oldObject != null && has(oldObject.metadata.annotations) && key in oldObject.metadata.annotations &&
  object.metadata.annotations[key] == oldObject.metadata.annotations[key]))`),
	}
}

func removalValidations() []admissionregistrationv1.Validation {
	return []admissionregistrationv1.Validation{
		forbidden("remove", `has(object.metadata.annotations) && oldObject.metadata.annotations.all(key, !key.startsWith("downscaler/") ||
  key in object.metadata.annotations)`),
	}
}

// forbidden refuses what an expression doesn't allow, and says to whom.
func forbidden(change, expression string) admissionregistrationv1.Validation {
	reason := metav1.StatusReasonForbidden
	return admissionregistrationv1.Validation{
		Expression: expression, Reason: &reason,
		MessageExpression: `request.userInfo.username + " may not ` + change + ` annotations with the prefix downscaler/"`,
	}
}
